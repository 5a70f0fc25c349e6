//! The storage: a bucket or a folder of one.

use std::fmt;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use object_store::{ObjectMeta, ObjectStore as _, ObjectStoreExt as _};

use crate::bucket::{Bucket, Shared};
use crate::file::{ObjectFile, ObjectReader};
use crate::location::Location;
use crate::waiting::Waiting;
use crate::worker::Worker;
use sitemap_core::storage::{LockGuard, Metadata, NewFile, Storage, StorageError, final_name};

/// A bucket of Amazon S3 or a service with its interface, Google Cloud Storage or Azure Blob Storage, or a
/// folder of one.
///
/// ```
/// use sitemap_object_store::ObjectStorage;
/// use sitemap_core::{Publisher, Site};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # if false {
/// let bucket = ObjectStorage::open("s3://bucket/sitemaps")?;
/// # }
/// # let bucket = ObjectStorage::open("memory:///sitemaps")?;
/// let site = Site::new("https://www.example.com")?;
/// let mut publisher = Publisher::builder(site).to_storage(bucket.cache_control("max-age=3600"))?;
/// publisher.section("pages")?.add("/")?;
/// publisher.finish()?;
/// # Ok(())
/// # }
/// ```
///
/// **Runs are kept apart** by conditional requests, as there is no lock: of two runs at once one ends with
/// [`PublishErrorKind::Overtaken`](sitemap_core::publish::PublishErrorKind::Overtaken). A service that has no conditional requests (it
/// must then be told so, as with the option `aws_conditional_put` = `disabled`) and `file://` look before
/// they replace a file, which leaves a short moment in which a later run can be overwritten.
///
/// **Files** get the content type of what they are (`application/xml`, `text/plain; charset=utf-8`,
/// `application/gzip`) and no content encoding: a `.gz` file is compressed itself, and a client that took the
/// compression for the transfer's would undo it. A file is held in memory until it is known to be a new one, and
/// an unchanged file is not sent. That takes up to 16 MiB for each file being written, of which a larger one
/// is sent in parts from then on, and 64 MiB for all others. Parts of a run that was killed stay
/// invisible, but cost money; have the bucket's lifecycle rules abort incomplete uploads.
///
/// **Requests** that fail are sent again up to ten times within three minutes, with growing pauses. One may
/// take 30 seconds and its connection 5; the options `timeout` and `connect_timeout` say otherwise, as in
/// `("timeout", "2 minutes")`. They are made on a thread of the storage's own, so that
/// it can be used from anywhere, within an asynchronous runtime, too.
///
/// Clones share the connections.
#[derive(Clone)]
#[must_use]
pub struct ObjectStorage {
    bucket: Bucket,
}

impl ObjectStorage {
    /// A place by its URL, as `s3://bucket/folder`, `gs://bucket/folder`, `az://container/folder`;
    /// `file:///folder`, which is made if it is missing, and `memory:///`, which is a new one each time, are
    /// for tests.
    ///
    /// Credentials and other settings are taken from the environment, from variables like
    /// `AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL`, `GOOGLE_SERVICE_ACCOUNT`,
    /// `AZURE_STORAGE_ACCOUNT_NAME`, and from the metadata services of the clouds. Nothing is asked of the
    /// service that has the bucket yet.
    ///
    /// # Errors
    ///
    /// If the URL is none of these, or a setting is missing or
    /// contradicts another.
    pub fn open(url: &str) -> Result<Self, StorageError> {
        Self::open_with(url, [("", ""); 0])
    }

    /// As [`open`](Self::open), with settings that go before those of the environment.
    ///
    /// Their names are those of the crate `object_store`, as `aws_endpoint`, `aws_allow_http`,
    /// `google_service_account`, `azure_storage_account_key`, `timeout`.
    ///
    /// ```
    /// # use sitemap_object_store::ObjectStorage;
    /// let local = [("aws_endpoint", "http://127.0.0.1:9000"), ("aws_allow_http", "true")];
    /// let bucket = ObjectStorage::open_with("s3://bucket/sitemaps", local)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and if a service has no such setting.
    pub fn open_with<K: Into<String>, V: Into<String>>(
        url: &str,
        options: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, StorageError> {
        let options: Vec<_> = options.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let opened = Location::open(url, options).and_then(|location| {
            Ok(Shared { location, worker: Worker::start()?, waiting: Waiting::default() })
        });
        match opened {
            Ok(shared) => Ok(Self { bucket: Bucket { shared: Arc::new(shared), cache_control: None } }),
            Err(error) => Err(StorageError::io("open", Path::new(url), error)),
        }
    }

    /// Sets the header `Cache-Control` that the service sends with each file of the set. Default: what the
    /// service does by itself.
    pub fn cache_control(mut self, value: impl Into<String>) -> Self {
        self.bucket.cache_control = Some(value.into().into());
        self
    }

    /// Removes a file that has another name by now. If that fails it is a leftover, which a later run removes.
    fn drop_staged(&self, name: &str) {
        let _ = self.remove(name);
    }
}

impl Storage for ObjectStorage {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        Ok(None)
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        // Temporary names have a random number of 64 bits, so asking for each would be a request for nothing.
        if final_name(name).is_none() && self.metadata(name)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(Box::new(ObjectFile::new(self.bucket.clone(), name)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        if let Some(bytes) = self.bucket.shared.waiting.get(from) {
            self.bucket.send(to, bytes)?;
        } else {
            let (source, target) = (self.bucket.path(from), self.bucket.path(to));
            self.bucket.shared.call(move |store| async move { store.copy(&source, &target).await })?;
        }
        self.drop_staged(from);
        Ok(())
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        let bytes = self.bucket.read(from)?;
        let is_renamed = match self.bucket.send_if(to, bytes.clone(), seen)? {
            Some(true) => true,
            // The answer to a first request may have been lost, so that a second one came too late.
            Some(false) => matches!(self.bucket.read(to), Ok(there) if there == bytes),
            None if self.metadata(to)?.as_ref() == seen => {
                self.bucket.send(to, bytes)?;
                true
            }
            None => false,
        };
        if is_renamed {
            self.drop_staged(from);
        }
        Ok(is_renamed)
    }

    /// Services do not say whether there was such a file.
    fn remove(&self, name: &str) -> io::Result<()> {
        if self.bucket.shared.waiting.remove(name) {
            return Ok(());
        }
        let path = self.bucket.path(name);
        self.bucket.shared.call(move |store| async move { store.delete(&path).await })
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        if let Some(stat) = self.bucket.shared.waiting.metadata(name) {
            return Ok(Some(stat));
        }
        let path = self.bucket.path(name);
        match self.bucket.shared.call(move |store| async move { store.head(&path).await }) {
            Ok(meta) => Ok(Some(self.bucket.shared.metadata(&meta))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        if let Some(bytes) = self.bucket.shared.waiting.get(name) {
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

    /// Sends a file that has waited until it was known to be a new one.
    fn sync_file(&self, name: &str) -> io::Result<()> {
        if let Some(bytes) = self.bucket.shared.waiting.get(name) {
            self.bucket.send(name, bytes)?;
            self.bucket.shared.waiting.remove(name);
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

/// Settings may hold secrets.
impl fmt::Debug for ObjectStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bucket { shared, cache_control } = &self.bucket;
        f.debug_struct("ObjectStorage")
            .field("url", &shared.location.url)
            .field("cache_control", cache_control)
            .finish_non_exhaustive()
    }
}
