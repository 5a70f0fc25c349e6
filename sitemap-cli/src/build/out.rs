//! Where a set goes: a folder or a bucket.

use std::path::Path;
use std::sync::Arc;

use sitemap_core::publish::PublisherBuilder;
use sitemap_core::{Directory, Publisher, Storage};

use super::failed;
use crate::error::{Outcome, Stop};

/// What the URL of a bucket begins with.
const SCHEMES: [&str; 6] = ["s3", "s3a", "gs", "az", "abfs", "abfss"];

pub(super) fn open(out: &Path, builder: PublisherBuilder) -> Outcome<Publisher> {
    builder.to_storage(open_storage(out)?).map_err(|error| failed(&error))
}

/// Opens the folder or bucket.
pub(crate) fn open_storage(out: &Path) -> Outcome<Arc<dyn Storage>> {
    match bucket_url(out)? {
        None => match Directory::open(out) {
            Ok(directory) => Ok(Arc::new(directory)),
            Err(error) => Err(failed(&error.into())),
        },
        Some(url) => open_bucket(url),
    }
}

/// The URL of a bucket, or `None` for a folder.
fn bucket_url(out: &Path) -> Outcome<Option<&str>> {
    let Some((url, (scheme, _))) = out.to_str().and_then(|out| Some((out, out.split_once("://")?))) else {
        return Ok(None);
    };
    if !SCHEMES.contains(&scheme) {
        return Err(Stop::new(format!(
            "`--out` is neither a folder nor a bucket; buckets begin with `s3://`, `gs://` or `az://`, found \
             \"{scheme}://\""
        )));
    }
    Ok(Some(url))
}

/// The command's words for a metadata service that does not answer: where the environment has no
/// credentials, it is asked for them.
pub(super) fn without_credentials(message: &str) -> Option<String> {
    let (place, why) = message.split_once("`: ")?;
    let (_, url) = place.split_once('`')?;
    if !["169.254.169.254", "metadata.google.internal"].iter().any(|service| why.contains(service)) {
        return None;
    }
    let variables = match url.split_once("://")?.0 {
        "s3" | "s3a" => "`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
        "gs" => "`GOOGLE_SERVICE_ACCOUNT`",
        _ => "`AZURE_STORAGE_ACCOUNT_NAME` and `AZURE_STORAGE_ACCOUNT_KEY`",
    };
    Some(format!(
        "{place}`: no credentials in the environment; set {variables}, or run it where the cloud's metadata \
         service gives them"
    ))
}

#[cfg(feature = "object-store")]
fn open_bucket(url: &str) -> Outcome<Arc<dyn Storage>> {
    match sitemap_object_store::ObjectStorage::open(url) {
        Ok(bucket) => Ok(Arc::new(bucket)),
        Err(error) => Err(failed(&error.into())),
    }
}

#[cfg(not(feature = "object-store"))]
fn open_bucket(url: &str) -> Outcome<Arc<dyn Storage>> {
    Err(Stop::new(format!(
        "this `sitemap` was built without buckets; build it with the feature `object-store`, found {url:?}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_credentials_are_told_from_other_errors() {
        let told =
            |url: &str, why: &str| without_credentials(&format!("cannot read `{url}/sitemap.xml`: {why}"));
        let why = "Generic S3 error: Error performing PUT http://169.254.169.254/latest/api/token in 1s";
        assert_eq!(
            told("s3://bucket/x", why).unwrap(),
            "cannot read `s3://bucket/x/sitemap.xml`: no credentials in the environment; set `AWS_ACCESS_KEY_ID` \
             and `AWS_SECRET_ACCESS_KEY`, or run it where the cloud's metadata service gives them"
        );
        assert!(told("az://bucket", why).unwrap().contains("`AZURE_STORAGE_ACCOUNT_KEY`"));
        assert_eq!(told("s3://bucket/x", "Generic S3 error: status 403"), None);
        assert_eq!(without_credentials("no page to publish"), None);
    }
}
