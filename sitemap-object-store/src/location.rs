//! Where a bucket is, and what service it is of.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreScheme};
use rustls::crypto::{CryptoProvider, ring};
use url::Url;

use crate::worker::io_error;

/// What the URLs of buckets begin with, which have a host.
const SCHEMES: [&str; 6] = ["s3", "s3a", "gs", "az", "abfs", "abfss"];

/// A folder of a bucket.
#[derive(Debug)]
pub(super) struct Location {
    pub(super) store: Arc<dyn ObjectStore>,
    folder: Path,
    /// As it was given, without a slash at its end.
    pub(super) url: String,
    /// Whether files can have content types.
    pub(super) has_attributes: bool,
    /// Whether conditions are about versions, in place of entity tags.
    has_versions: bool,
}

/// Sets the options of one of the services.
macro_rules! service {
    ($builder:ty, $url:expr, $options:expr) => {{
        let mut builder = <$builder>::from_env().with_url($url.as_str());
        for (name, value) in $options {
            let Ok(key) = name.to_ascii_lowercase().parse() else {
                return Err(invalid(format!("`{}://` has no such option, found `{name}`", $url.scheme())));
            };
            builder = builder.with_config(key, value);
        }
        Arc::new(builder.build().map_err(|error| io_error(&error))?)
    }};
}

impl Location {
    pub(super) fn open(text: &str, options: Vec<(String, String)>) -> io::Result<Self> {
        let url = match Url::parse(text) {
            Ok(url) if url.password().is_some() => {
                return Err(invalid("a URL must have no password; give it as an option"));
            }
            Ok(url) => url,
            Err(error) => return Err(invalid(format!("not a URL: {error}"))),
        };
        let unknown =
            || invalid(format!("must begin with `s3://`, `gs://` or `az://`, found `{}://`", url.scheme()));
        if SCHEMES.contains(&url.scheme()) && url.host_str().is_none_or(str::is_empty) {
            return Err(invalid(format!(
                "names no bucket; write `{}://bucket/folder`, found `{text}`",
                url.scheme()
            )));
        }
        let (scheme, mut folder) = ObjectStoreScheme::parse(&url).map_err(|_| unknown())?;
        provide_cryptography();
        let store: Arc<dyn ObjectStore> = match scheme {
            ObjectStoreScheme::AmazonS3 => service!(AmazonS3Builder, url, options),
            ObjectStoreScheme::GoogleCloudStorage => service!(GoogleCloudStorageBuilder, url, options),
            ObjectStoreScheme::MicrosoftAzure => service!(MicrosoftAzureBuilder, url, options),
            ObjectStoreScheme::Local | ObjectStoreScheme::Memory if !options.is_empty() => {
                let name = &options[0].0;
                return Err(invalid(format!("`{}://` has no such option, found `{name}`", url.scheme())));
            }
            ObjectStoreScheme::Memory => Arc::new(InMemory::new()),
            ObjectStoreScheme::Local => {
                let Ok(path) = url.to_file_path() else {
                    return Err(invalid("must be a path of this machine"));
                };
                fs::create_dir_all(&path)?;
                folder = Path::default();
                Arc::new(
                    LocalFileSystem::new_with_prefix(path)
                        .map_err(|error| io_error(&error))?
                        .with_fsync(true),
                )
            }
            _ => return Err(unknown()),
        };
        Ok(Self {
            store,
            folder,
            url: text.trim_end_matches('/').to_owned(),
            has_attributes: scheme != ObjectStoreScheme::Local,
            has_versions: scheme == ObjectStoreScheme::GoogleCloudStorage,
        })
    }

    pub(super) fn path(&self, name: &str) -> Path {
        self.folder.clone().join(name)
    }

    /// The folder, unless it is the whole bucket.
    pub(super) fn folder(&self) -> Option<Path> {
        (self.folder != Path::default()).then(|| self.folder.clone())
    }

    pub(super) fn locate(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.url.as_str().into() } else { format!("{}/{name}", self.url).into() }
    }

    /// What tells a file from another and stands in a condition; without quotes, which a manifest cannot hold.
    ///
    /// None for a weak entity tag, which is of no use in a condition.
    pub(super) fn tag(&self, e_tag: Option<&str>, version: Option<&str>) -> Option<String> {
        let tag = if self.has_versions { version } else { e_tag }?;
        let inner = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag);
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
        inner.bytes().all(is_plain).then(|| inner.to_owned())
    }
}

fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
}

/// Gives the process a provider of cryptography for TLS, unless the program has chosen one.
fn provide_cryptography() {
    if CryptoProvider::get_default().is_none() {
        // If another thread has been faster, there is one.
        let _ = ring::default_provider().install_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(url: &str) -> Location {
        Location::open(url, Vec::new()).unwrap()
    }

    #[test]
    fn files_are_in_the_folder() {
        let bucket = location("memory:///");
        assert_eq!(bucket.path("sitemap.xml").as_ref(), "sitemap.xml");
        assert_eq!(bucket.folder(), None);
        let folder = location("memory:///a/b/");
        assert_eq!(folder.path(".sitemap.xml.1-2.tmp").as_ref(), "a/b/.sitemap.xml.1-2.tmp");
        assert_eq!(folder.folder().unwrap().as_ref(), "a/b");
        assert_eq!(folder.locate("sitemap.xml"), PathBuf::from("memory:///a/b/sitemap.xml"));
        assert_eq!(folder.locate(""), PathBuf::from("memory:///a/b"));
    }

    #[test]
    fn tags_are_fit_for_a_manifest() {
        let bucket = location("memory:///");
        for (e_tag, tag) in [
            ("\"5d41402a\"", Some("5d41402a")),
            ("\"5d41402a-2\"", Some("5d41402a-2")),
            ("0x8DC", Some("0x8DC")),
            ("W/\"5d\"", None),
            ("a b", None),
            ("a\\b", None),
            ("\u{e4}", None),
        ] {
            assert_eq!(bucket.tag(Some(e_tag), Some("7")).as_deref(), tag, "{e_tag}");
        }
        assert_eq!(bucket.tag(None, Some("7")), None);
        let by_version = Location { has_versions: true, ..bucket };
        assert_eq!(by_version.tag(Some("\"5d\""), Some("7")).as_deref(), Some("7"));
    }

    #[test]
    fn what_is_no_bucket_is_refused() {
        for (url, options, message) in [
            ("bucket/folder", None, "not a URL: relative URL without a base"),
            ("s3://key:secret@bucket", None, "a URL must have no password; give it as an option"),
            ("https://example.com/x", None, "must begin with `s3://`, `gs://` or `az://`, found `https://`"),
            ("s3:///x", None, "names no bucket; write `s3://bucket/folder`, found `s3:///x`"),
            ("gs://", None, "names no bucket; write `gs://bucket/folder`, found `gs://`"),
            ("memory:///", Some("aws_region"), "`memory://` has no such option, found `aws_region`"),
            ("s3://bucket", Some("aws_regoin"), "`s3://` has no such option, found `aws_regoin`"),
        ] {
            let options = options.map(|name| (name.to_owned(), "x".to_owned()));
            let error = Location::open(url, options.into_iter().collect()).unwrap_err();
            assert_eq!(error.to_string(), message, "{url}");
        }
    }
}
