//! Parses a bucket's URL and creates the client for its service.

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{HeaderMap, HeaderValue};
use object_store::{ObjectStore, ObjectStoreScheme};
use rustls::crypto::{CryptoProvider, ring};
use url::Url;

use crate::request_thread::io_error;
use crate::retry::{Connector, Retries};

/// The URL schemes whose host is a bucket name.
const BUCKET_SCHEMES: [&str; 6] = ["s3", "s3a", "gs", "az", "abfs", "abfss"];

/// A folder in a bucket.
pub(super) struct Location {
    pub(super) store: Arc<dyn ObjectStore>,
    /// Returns a client that sends these headers with each request.
    with_headers: Option<WithHeaders>,
    /// Limits and counts the retries. `None` for stores on this machine.
    pub(super) retries: Option<Arc<Retries>>,
    /// The name of the bucket.
    pub(super) bucket: String,
    /// The names of the environment variables for credentials, used in messages.
    pub(super) credentials: &'static str,
    folder: Path,
    /// The URL as passed, without a trailing slash.
    pub(super) url: String,
    /// Whether the service stores a content type with each file.
    pub(super) has_attributes: bool,
    /// Whether conditional requests compare file versions instead of entity tags.
    has_versions: bool,
    /// Whether the service lists files sorted by name, and can start the list at any name.
    pub(super) lists_in_order: bool,
}

type WithHeaders = Box<dyn Fn(HeaderMap) -> io::Result<Arc<dyn ObjectStore>> + Send + Sync>;

/// Builds the client for a service with the given options.
macro_rules! service {
    ($builder:ty, $url:expr, $options:expr, $retries:expr) => {{
        let mut builder = <$builder>::from_env().with_url($url.as_str());
        for (name, value) in $options {
            let Ok(key) = name.to_ascii_lowercase().parse() else {
                return Err(invalid(format!(
                    "`{name}` is not an option of `{}://`; use an option name of the crate `object_store`",
                    $url.scheme()
                )));
            };
            builder = builder.with_config(key, value);
        }
        let connector = Connector::new($retries);
        let builder = builder.with_http_connector(connector.clone());
        let store: Arc<dyn ObjectStore> =
            Arc::new(builder.clone().build().map_err(|error| io_error(&error))?);
        let with_headers: WithHeaders = Box::new(move |headers| {
            let options = connector.options.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let options = options.unwrap_or_default().with_default_headers(headers);
            let store = builder.clone().with_client_options(options).build();
            Ok(Arc::new(store.map_err(|error| io_error(&error))?))
        });
        (store, Some(with_headers))
    }};
}

impl Location {
    pub(super) fn open(text: &str, options: Vec<(String, String)>) -> io::Result<Self> {
        let url = match Url::parse(text) {
            Ok(url) if url.password().is_some() => {
                return Err(invalid("the URL contains a password; pass it as an option"));
            }
            Ok(url) => url,
            Err(error) => {
                return Err(invalid(format!("not a URL ({error}); write one like `s3://bucket/folder`")));
            }
        };
        let unknown = || {
            invalid(format!("`{}://` is not an object store; use `s3://`, `gs://` or `az://`", url.scheme()))
        };
        if BUCKET_SCHEMES.contains(&url.scheme()) && url.host_str().is_none_or(str::is_empty) {
            return Err(invalid(format!(
                "the URL names no bucket; write `{}://bucket/folder`",
                url.scheme()
            )));
        }
        let (scheme, mut folder) = ObjectStoreScheme::parse(&url).map_err(|_| unknown())?;
        install_crypto_provider();
        let retries = Arc::new(Retries::default());
        let (store, with_headers): (Arc<dyn ObjectStore>, Option<WithHeaders>) = match scheme {
            ObjectStoreScheme::AmazonS3 => service!(AmazonS3Builder, url, options, &retries),
            ObjectStoreScheme::GoogleCloudStorage => {
                service!(GoogleCloudStorageBuilder, url, options, &retries)
            }
            ObjectStoreScheme::MicrosoftAzure => service!(MicrosoftAzureBuilder, url, options, &retries),
            ObjectStoreScheme::Local | ObjectStoreScheme::Memory if !options.is_empty() => {
                let name = &options[0].0;
                return Err(invalid(format!("`{}://` has no options; remove `{name}`", url.scheme())));
            }
            ObjectStoreScheme::Memory => (Arc::new(InMemory::new()), None),
            ObjectStoreScheme::Local => {
                let Ok(path) = url.to_file_path() else {
                    return Err(invalid("the URL is not a path on this machine; write `file:///folder`"));
                };
                fs::create_dir_all(&path)?;
                folder = Path::default();
                let store = LocalFileSystem::new_with_prefix(path).map_err(|error| io_error(&error))?;
                (Arc::new(store.with_fsync(true)), None)
            }
            _ => return Err(unknown()),
        };
        let credentials = match scheme {
            ObjectStoreScheme::GoogleCloudStorage => "`GOOGLE_SERVICE_ACCOUNT`",
            ObjectStoreScheme::MicrosoftAzure => {
                "`AZURE_STORAGE_ACCOUNT_NAME` and `AZURE_STORAGE_ACCOUNT_KEY`"
            }
            _ => "`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
        };
        let has_headers =
            matches!(scheme, ObjectStoreScheme::AmazonS3 | ObjectStoreScheme::GoogleCloudStorage);
        Ok(Self {
            store,
            retries: with_headers.is_some().then_some(retries),
            with_headers: with_headers.filter(|_| has_headers),
            bucket: url.host_str().unwrap_or_default().to_owned(),
            credentials,
            folder,
            url: text.trim_end_matches('/').to_owned(),
            has_attributes: scheme != ObjectStoreScheme::Local,
            has_versions: scheme == ObjectStoreScheme::GoogleCloudStorage,
            // S3 directory buckets have names like this, and list files in no particular order.
            lists_in_order: scheme == ObjectStoreScheme::AmazonS3
                && !url.host_str().is_some_and(|bucket| bucket.ends_with("--x-s3")),
        })
    }

    pub(super) fn path(&self, name: &str) -> Path {
        self.folder.clone().join(name)
    }

    /// Returns a client that sets this access control list and storage class on files, or `None` if the service has no
    /// headers for them.
    pub(super) fn store_with(
        &self,
        acl: Option<&str>,
        storage_class: Option<&str>,
    ) -> io::Result<Option<Arc<dyn ObjectStore>>> {
        let Some(with_headers) = &self.with_headers else { return Ok(None) };
        let names = if self.has_versions {
            ["x-goog-acl", "x-goog-storage-class"]
        } else {
            ["x-amz-acl", "x-amz-storage-class"]
        };
        let mut headers = HeaderMap::new();
        for (name, value) in names.into_iter().zip([acl, storage_class]) {
            if let Some(value) = value {
                let value = HeaderValue::from_str(value)
                    .map_err(|_| invalid(format!("{value:?} cannot be a header; use printable ASCII")))?;
                headers.insert(name, value);
            }
        }
        with_headers(headers).map(Some)
    }

    /// Returns the folder, or `None` for the whole bucket.
    pub(super) fn folder(&self) -> Option<Path> {
        (self.folder != Path::default()).then(|| self.folder.clone())
    }

    pub(super) fn locate(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.url.as_str().into() } else { format!("{}/{name}", self.url).into() }
    }

    /// Returns the entity tag or version that identifies a file's content in conditional requests. The entity tag has
    /// no quotes, because the set's manifest stores it and cannot contain quotes.
    ///
    /// Returns `None` for a weak entity tag, which cannot be used in conditional requests.
    pub(super) fn tag(&self, e_tag: Option<&str>, version: Option<&str>) -> Option<String> {
        let tag = if self.has_versions { version } else { e_tag }?;
        let inner = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag);
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
        inner.bytes().all(is_plain).then(|| inner.to_owned())
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
}

/// Installs a process-wide cryptography provider for TLS, unless the program has already done so.
fn install_crypto_provider() {
    if CryptoProvider::get_default().is_none() {
        // This fails if another thread has just installed a provider.
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
    fn tags_can_be_written_to_a_manifest() {
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
    fn other_urls_and_options_are_refused() {
        for (url, options, message) in [
            (
                "bucket/folder",
                None,
                "not a URL (relative URL without a base); write one like `s3://bucket/folder`",
            ),
            ("s3://key:secret@bucket", None, "the URL contains a password; pass it as an option"),
            (
                "https://example.com/x",
                None,
                "`https://` is not an object store; use `s3://`, `gs://` or `az://`",
            ),
            ("s3:///x", None, "the URL names no bucket; write `s3://bucket/folder`"),
            ("gs://", None, "the URL names no bucket; write `gs://bucket/folder`"),
            ("memory:///", Some("aws_region"), "`memory://` has no options; remove `aws_region`"),
            (
                "s3://bucket",
                Some("aws_regoin"),
                "`aws_regoin` is not an option of `s3://`; use an option name of the crate `object_store`",
            ),
        ] {
            let options = options.map(|name| (name.to_owned(), "x".to_owned()));
            let error = Location::open(url, options.into_iter().collect()).unwrap_err();
            assert_eq!(error.to_string(), message, "{url}");
        }
    }
}
