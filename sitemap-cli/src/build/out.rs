//! Where a set goes: a folder or a bucket.

use std::path::Path;

use sitemap_core::{Publisher, PublisherBuilder};

use super::failed;
use crate::error::{Outcome, Stop};

/// What the URL of a bucket begins with.
const SCHEMES: [&str; 6] = ["s3", "s3a", "gs", "az", "abfs", "abfss"];

pub(super) fn open(out: &Path, builder: PublisherBuilder) -> Outcome<Publisher> {
    let Some((scheme, _)) = out.to_str().and_then(|out| out.split_once("://")) else {
        return builder.to_dir(out).map_err(|error| failed(&error));
    };
    if !SCHEMES.contains(&scheme) {
        return Err(Stop::new(format!(
            "`--out` is neither a folder nor a bucket; buckets begin with `s3://`, `gs://` or `az://`, found \
             \"{scheme}://\""
        )));
    }
    open_bucket(&out.to_string_lossy(), builder)
}

#[cfg(feature = "object-store")]
fn open_bucket(url: &str, builder: PublisherBuilder) -> Outcome<Publisher> {
    let bucket = sitemap_core::ObjectStorage::open(url);
    bucket.and_then(|bucket| builder.to_storage(bucket)).map_err(|error| failed(&error))
}

#[cfg(not(feature = "object-store"))]
fn open_bucket(url: &str, _: PublisherBuilder) -> Outcome<Publisher> {
    Err(Stop::new(format!(
        "this `sitemap` was built without buckets; build it with the feature `object-store`, found {url:?}"
    )))
}
