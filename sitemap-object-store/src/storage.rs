//! The storage: a bucket, or a folder in a bucket.

use std::fmt;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use object_store::{ObjectMeta, ObjectStore as _, ObjectStoreExt as _};
use url::Url;

use crate::bucket::{Bucket, Shared};
use crate::file::{ObjectFile, ObjectReader};
use crate::location::Location;
use crate::unsent::Unsent;
use crate::worker::Worker;
use sitemap_core::storage::{LockGuard, Metadata, NewFile, Storage, StorageError, final_name};

/// A bucket of Amazon S3, Google Cloud Storage, Azure Blob Storage or a compatible service, or a folder in such a
/// bucket.
///
/// ```
/// use std::io::Read;
///
/// use sitemap_core::{Publisher, Site, Storage};
/// use sitemap_object_store::ObjectStorage;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # if false {
/// let bucket = ObjectStorage::open("s3://bucket/sitemaps")?;
/// # }
/// # let bucket = ObjectStorage::open("memory:///sitemaps")?;
/// let bucket = bucket.cache_control("max-age=3600");
/// assert!(format!("{bucket:?}").contains("max-age=3600"));
///
/// let site = Site::new("https://www.example.com")?;
/// let mut publisher = Publisher::builder(site).to_storage(bucket.clone())?;
/// publisher.section("pages")?.add("/")?;
/// publisher.finish()?;
///
/// let mut xml = String::new();
/// bucket.open("sitemap.xml")?.read_to_string(&mut xml)?;
/// assert!(xml.contains("<loc>https://www.example.com/</loc>"));
/// # Ok(())
/// # }
/// ```
///
/// **Concurrent runs.** A bucket has no lock, so the storage uses conditional requests. If two runs publish at the
/// same time, one of them ends with
/// [`PublishErrorKind::Overtaken`](sitemap_core::publish::PublishErrorKind::Overtaken). Some services and
/// `file://` have no conditional requests; for such a service, set an option such as `aws_conditional_put` =
/// `disabled`. The storage then first checks that the published file is unchanged, and replaces it with a second
/// request. Between the two requests, one run can overwrite the set of another.
///
/// **Headers.** Files get the content type of their format (`application/xml`, `text/plain; charset=utf-8`,
/// `application/gzip`). They get no `Content-Encoding` header, because with this header a client would decompress a
/// `.gz` file.
///
/// **Memory.** A file is held in memory until it is finished and compared with the published one, so an unchanged
/// file is not sent. This takes up to 16 MiB for each file that is being written, and up to 64 MiB for all finished
/// files. Beyond these limits, files are sent before the comparison. A file larger than 16 MiB is sent in parts. If
/// a run is killed, such parts stay in the bucket: they are invisible but cost money, so let the bucket's lifecycle
/// rules abort incomplete uploads.
///
/// **Retries.** A failed request is repeated up to ten times within three minutes, with growing pauses. By
/// default, a request times out after 30 seconds, and an attempt to connect after 5 seconds. Change these times with
/// the options `timeout` and `connect_timeout`, as in `("timeout", "2 minutes")`. Requests run on a thread of the
/// storage, so the storage also works inside an async runtime.
///
/// Clones share the connections.
#[derive(Clone)]
#[must_use]
pub struct ObjectStorage {
    bucket: Bucket,
}

impl ObjectStorage {
    /// Opens a bucket or folder by its URL: `s3://bucket/folder`, `gs://bucket/folder` or
    /// `az://container/folder`.
    ///
    /// For tests there are also `file:///folder`, which creates the folder, and `memory:///`, which is new
    /// and empty each time it is opened.
    ///
    /// Credentials and other settings come from environment variables such as `AWS_ACCESS_KEY_ID`,
    /// `AWS_REGION`, `AWS_ENDPOINT_URL`, `GOOGLE_SERVICE_ACCOUNT` and `AZURE_STORAGE_ACCOUNT_NAME`, and from
    /// the metadata services of the clouds. This method sends no request to the bucket.
    ///
    /// # Errors
    ///
    /// [`StorageError::Io`] if the URL has another form, or a setting is missing or contradicts another.
    pub fn open(url: &str) -> Result<Self, StorageError> {
        Self::open_with(url, [("", ""); 0])
    }

    /// Opens a bucket or folder like [`open`](Self::open), with options that override the environment.
    ///
    /// The names of the options are those of the crate `object_store`: `aws_endpoint`, `aws_allow_http`,
    /// `google_service_account`, `azure_storage_account_key`, `timeout` and so on.
    ///
    /// ```
    /// # use sitemap_object_store::ObjectStorage;
    /// let local = [("aws_endpoint", "http://127.0.0.1:9000"), ("aws_allow_http", "true")];
    /// let bucket = ObjectStorage::open_with("s3://bucket/sitemaps", local)?;
    /// // Options may contain secrets, so `Debug` shows none:
    /// assert!(!format!("{bucket:?}").contains("9000"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open), and [`StorageError::Io`] if the service has no option with one of these
    /// names.
    pub fn open_with<K: Into<String>, V: Into<String>>(
        url: &str,
        options: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, StorageError> {
        let options: Vec<_> = options.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let opened = Location::open(url, options).and_then(|location| {
            Ok(Shared { location, worker: Worker::start()?, unsent: Unsent::default() })
        });
        match opened {
            Ok(shared) => Ok(Self { bucket: Bucket { shared: Arc::new(shared), cache_control: None } }),
            Err(error) => Err(StorageError::io("open", Path::new(&without_password(url)), error)),
        }
    }

    /// Sets the `Cache-Control` header that the service sends with each file of the set. Default: the default
    /// of the service.
    ///
    /// ```
    /// # use sitemap_object_store::ObjectStorage;
    /// let bucket = ObjectStorage::open("memory:///")?.cache_control("public, max-age=3600");
    /// assert!(format!("{bucket:?}").contains("public, max-age=3600"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cache_control(mut self, value: impl Into<String>) -> Self {
        self.bucket.cache_control = Some(value.into().into());
        self
    }

    /// Removes a temporary file after it was copied to its final name. Ignores errors, because a later run removes
    /// temporary files that are left behind.
    fn remove_staged(&self, name: &str) {
        let _ = self.remove(name);
    }
}

/// Returns a URL without its password, for messages.
fn without_password(text: &str) -> String {
    let Ok(mut url) = Url::parse(text) else { return text.to_owned() };
    if url.password().is_some() && url.set_password(None).is_ok() { url.into() } else { text.to_owned() }
}

impl Storage for ObjectStorage {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        Ok(None)
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        // A temporary name contains 64 random bits, so a request that looks for an existing file of that name
        // would be wasted.
        if final_name(name).is_none() && self.metadata(name)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(Box::new(ObjectFile::new(self.bucket.clone(), name)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        if let Some(bytes) = self.bucket.shared.unsent.get(from) {
            self.bucket.send(to, bytes)?;
        } else {
            let (source, target) = (self.bucket.path(from), self.bucket.path(to));
            self.bucket.shared.call(move |store| async move { store.copy(&source, &target).await })?;
        }
        self.remove_staged(from);
        Ok(())
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        let bytes = self.bucket.read(from)?;
        let is_renamed = match self.bucket.send_if(to, bytes.clone(), seen)? {
            Some(true) => true,
            // A refusal can follow a success: if the response was lost, the client sent the request again, and the
            // service refused this second request. The stored file then already has the new bytes.
            Some(false) => matches!(self.bucket.read(to), Ok(stored) if stored == bytes),
            None if self.metadata(to)?.as_ref() == seen => {
                self.bucket.send(to, bytes)?;
                true
            }
            None => false,
        };
        if is_renamed {
            self.remove_staged(from);
        }
        Ok(is_renamed)
    }

    /// Removes a file. Also succeeds if the file is missing, because services do not report a missing file.
    fn remove(&self, name: &str) -> io::Result<()> {
        if self.bucket.shared.unsent.remove(name) {
            return Ok(());
        }
        let path = self.bucket.path(name);
        self.bucket.shared.call(move |store| async move { store.delete(&path).await })
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        if let Some(metadata) = self.bucket.shared.unsent.metadata(name) {
            return Ok(Some(metadata));
        }
        let path = self.bucket.path(name);
        match self.bucket.shared.call(move |store| async move { store.head(&path).await }) {
            Ok(meta) => Ok(Some(self.bucket.shared.metadata(&meta))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        if let Some(bytes) = self.bucket.shared.unsent.get(name) {
            return Ok(Box::new(Cursor::new(bytes)));
        }
        let path = self.bucket.path(name);
        let found = self.bucket.shared.call(move |store| async move { store.get(&path).await })?;
        Ok(Box::new(ObjectReader::new(Arc::clone(&self.bucket.shared), found)))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let folder = self.bucket.shared.location.folder();
        let listed = self
            .bucket
            .shared
            .call(move |store| async move { store.list_with_delimiter(folder.as_ref()).await })?;
        let name = |meta: &ObjectMeta| meta.location.filename().map(str::to_owned);
        Ok(listed.objects.iter().filter_map(name).collect())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.bucket.send(name, Bytes::copy_from_slice(bytes))
    }

    /// Sends a file that is still held in memory. The publisher calls this when it knows that the file has changed.
    fn sync_file(&self, name: &str) -> io::Result<()> {
        if let Some(bytes) = self.bucket.shared.unsent.get(name) {
            self.bucket.send(name, bytes)?;
            self.bucket.shared.unsent.remove(name);
        }
        Ok(())
    }

    fn sync_names(&self) -> io::Result<()> {
        Ok(())
    }

    fn locate(&self, name: &str) -> PathBuf {
        self.bucket.shared.location.locate(name)
    }
}

/// Shows no options, because they may contain secrets.
impl fmt::Debug for ObjectStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bucket { shared, cache_control } = &self.bucket;
        f.debug_struct("ObjectStorage")
            .field("url", &shared.location.url)
            .field("cache_control", cache_control)
            .finish_non_exhaustive()
    }
}
