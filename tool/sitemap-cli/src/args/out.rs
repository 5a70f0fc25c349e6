//! Options that name a set: its site and its storage.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// The site of a set, and the storage for its files.
#[derive(Args, Debug)]
pub(crate) struct SiteArgs {
    /// The site's base URL: the URL of the folder that the sitemap is served from
    #[arg(long, value_name = "URL")]
    pub(crate) base: String,

    #[command(flatten)]
    pub(crate) out: OutArgs,

    /// Also allow pages under this URL; can be repeated
    #[arg(long, value_name = "URL")]
    pub(crate) also_list: Vec<String>,
}

/// The storage of a set.
#[derive(Args, Debug)]
pub(crate) struct OutArgs {
    /// The folder to publish to, or an object store such as `s3://bucket/folder`, `gs://…` or `az://…`, with
    /// credentials from the environment
    #[arg(long, value_name = "DIR|URL")]
    pub(crate) out: PathBuf,

    /// The permissions of the files that the run writes to a folder, such as `644` [default: those of the replaced
    /// file; a new file can be read by anyone who can read the folder]
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub(crate) mode: Option<u32>,

    #[command(flatten)]
    pub(crate) bucket: BucketArgs,
}

/// The properties of files in an object store.
#[derive(Args, Debug, Default)]
pub(crate) struct BucketArgs {
    /// The `Cache-Control` header of uploaded files, such as `max-age=300`
    #[arg(long, value_name = "VALUE")]
    pub(crate) cache_control: Option<String>,

    /// The canned ACL of files uploaded to S3 or Google Cloud Storage, such as `public-read`
    #[arg(long, value_name = "NAME")]
    pub(crate) acl: Option<String>,

    /// The storage class of files uploaded to an object store, such as `STANDARD_IA`
    #[arg(long, value_name = "NAME")]
    pub(crate) storage_class: Option<String>,

    /// How long to retry a request to an object store after a temporary failure, such as `10m` [default: 3m]
    #[arg(long, value_name = "TIME", value_parser = super::keep::time)]
    pub(crate) retry_for: Option<Duration>,

    /// How long to wait for the first response of an object store [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = super::keep::time)]
    pub(crate) answer_within: Option<Duration>,
}

impl BucketArgs {
    /// Returns the name of the first of these options that is given.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let given = [
            (self.cache_control.is_some(), "--cache-control"),
            (self.acl.is_some(), "--acl"),
            (self.storage_class.is_some(), "--storage-class"),
            (self.retry_for.is_some(), "--retry-for"),
            (self.answer_within.is_some(), "--answer-within"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

fn mode(text: &str) -> Result<u32, String> {
    match u32::from_str_radix(text, 8) {
        Ok(mode) if text.len() == 3 => Ok(mode),
        _ => Err("write three octal digits, like 644".to_owned()),
    }
}
