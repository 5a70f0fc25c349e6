//! The storage of a set: a folder or an object store.

use std::path::Path;
use std::sync::Arc;

use sitemap_core::{Directory, Storage};
#[cfg(feature = "object-store")]
use sitemap_object_store::ObjectStorage;

use super::failure::failed;
use crate::args::{BucketArgs, OutArgs};
use crate::error::{Outcome, Stop};
use crate::interrupt::Interruptible;

/// The schemes of object store URLs.
const SCHEMES: [&str; 6] = ["s3", "s3a", "gs", "az", "abfs", "abfss"];

/// Opens the folder or object store of `--out`. From then on, a signal ends the run in an orderly way.
pub(crate) fn open_storage(args: &OutArgs) -> Outcome<impl Storage + use<>> {
    Ok(Interruptible::new(open(args)?))
}

/// Opens the folder or object store of `--out` to check that it can be used. Until the storage is [`Interruptible`], a
/// signal ends the process immediately.
pub(crate) fn open(args: &OutArgs) -> Outcome<Arc<dyn Storage>> {
    let url = bucket_url(&args.out)?;
    if let (None, Some(option)) = (url, args.bucket.first()) {
        return Err(Stop::new(format!("`{option}` is for object stores; leave it out for a folder")));
    }
    match (url, args.mode) {
        (None, mode) => {
            let directory = Directory::open(&args.out).map_err(|error| failed(&error.into()))?;
            Ok(Arc::new(match mode {
                Some(mode) => directory.mode(mode),
                None => directory,
            }))
        }
        (Some(_), Some(_)) => {
            Err(Stop::new("`--mode` is for folders; set permissions in the object store instead".to_owned()))
        }
        (Some(url), None) => open_bucket(url, &args.bucket),
    }
}

/// Returns `true` if a target is the URL of an object store.
pub(crate) fn is_bucket(target: &str) -> bool {
    target.split_once("://").is_some_and(|(scheme, _)| SCHEMES.contains(&scheme))
}

/// Opens an object store for reading a set.
#[cfg(feature = "object-store")]
pub(crate) fn open_to_read(url: &str) -> Outcome<Arc<dyn Storage>> {
    open_bucket(url, &BucketArgs::default())
}

#[cfg(not(feature = "object-store"))]
pub(crate) fn open_to_read(url: &str) -> Outcome<Arc<dyn Storage>> {
    Err(Stop::new(without_object_stores(url)))
}

/// Returns the URL of an object store, or `None` for a folder.
fn bucket_url(out: &Path) -> Outcome<Option<&str>> {
    let Some((url, (scheme, _))) = out.to_str().and_then(|out| Some((out, out.split_once("://")?))) else {
        return Ok(None);
    };
    if !SCHEMES.contains(&scheme) {
        return Err(Stop::new(format!(
            "`--out`: `{scheme}://` is not an object store; use a folder, `s3://`, `gs://` or `az://`"
        )));
    }
    Ok(Some(url))
}

#[cfg(feature = "object-store")]
fn open_bucket(url: &str, args: &BucketArgs) -> Outcome<Arc<dyn Storage>> {
    let opened = ObjectStorage::open(url).and_then(|mut bucket| {
        if let Some(value) = &args.cache_control {
            bucket = bucket.cache_control(value);
        }
        if let Some(name) = &args.acl {
            bucket = bucket.acl(name)?;
        }
        if let Some(name) = &args.storage_class {
            bucket = bucket.storage_class(name)?;
        }
        if let Some(time) = args.retry_for {
            bucket = bucket.retry_for(time);
        }
        if let Some(time) = args.answer_within {
            bucket = bucket.answer_within(time);
        }
        // Reports an unusable bucket before the input is read.
        bucket.connect()?;
        Ok(bucket)
    });
    match opened {
        Ok(bucket) => Ok(Arc::new(bucket)),
        Err(error) => Err(failed(&error.into())),
    }
}

#[cfg(not(feature = "object-store"))]
fn open_bucket(url: &str, _: &BucketArgs) -> Outcome<Arc<dyn Storage>> {
    Err(Stop::new(format!("`--out`: {}", without_object_stores(url))))
}

#[cfg(not(feature = "object-store"))]
fn without_object_stores(url: &str) -> String {
    // Prints only the scheme, because the URL may contain a password.
    let scheme = url.split("://").next().unwrap_or_default();
    format!(
        "this `sitemap` was built without object stores such as `{scheme}://`; build it with the feature `object-store`"
    )
}
