//! Where a set goes: a folder or a bucket.

use std::path::Path;

use sitemap_core::{Publisher, PublisherBuilder};

use super::failed;
use crate::error::{Outcome, Stop};

/// What the URL of a bucket begins with.
const SCHEMES: [&str; 6] = ["s3", "s3a", "gs", "az", "abfs", "abfss"];

pub(super) fn open(out: &Path, builder: PublisherBuilder) -> Outcome<Publisher> {
    match bucket_url(out)? {
        None => builder.to_dir(out).map_err(|error| failed(&error)),
        Some(url) => open_bucket(url, builder),
    }
}

/// The URL of a bucket, or `None` for a folder.
pub(crate) fn bucket_url(out: &Path) -> Outcome<Option<&str>> {
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

#[cfg(feature = "object-store")]
fn open_bucket(url: &str, builder: PublisherBuilder) -> Outcome<Publisher> {
    let bucket = sitemap_core::ObjectStorage::open(url);
    bucket.and_then(|bucket| builder.to_storage(bucket)).map_err(|error| failed(&error))
}

#[cfg(not(feature = "object-store"))]
fn open_bucket(url: &str, _: PublisherBuilder) -> Outcome<Publisher> {
    Err(no_buckets(url))
}

#[cfg(not(feature = "object-store"))]
pub(crate) fn no_buckets(url: &str) -> Stop {
    Stop::new(format!(
        "this `sitemap` was built without buckets; build it with the feature `object-store`, found {url:?}"
    ))
}
