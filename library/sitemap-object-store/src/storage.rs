//! The storage for a bucket, or for a folder in a bucket.

use std::fmt;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use object_store::{ObjectMeta, ObjectStore as _, ObjectStoreExt as _};
use url::Url;

use crate::bucket::{Bucket, Shared};
use crate::file::{ObjectFile, ObjectReader};
use crate::find_listed::find_listed;
use crate::location::Location;
use crate::request_thread::RequestThread;
use crate::retry::Limits;
use crate::temporary_files::list_temporary;
use sitemap_core::storage::{LockGuard, Metadata, NewFile, Storage, StorageError, final_name};

/// A bucket, or a folder in a bucket, on Amazon S3, Google Cloud Storage, Azure Blob Storage or a compatible service.
///
/// ```
/// use std::io::Read;
///
/// use sitemap_core::{Site, SitemapSet, Storage};
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
/// let mut run = SitemapSet::builder(site).storage(bucket.clone()).replace()?;
/// run.section("pages")?.add("/")?;
/// run.commit()?;
///
/// let mut xml = String::new();
/// bucket.open("sitemap.xml")?.read_to_string(&mut xml)?;
/// assert!(xml.contains("<loc>https://www.example.com/</loc>"));
/// # Ok(())
/// # }
/// ```
///
/// **Concurrent runs.** A bucket has no lock, so the storage uses conditional requests. If two runs publish at the same
/// time, one of them fails with [`PublishErrorKind::Overtaken`](sitemap_core::publish::PublishErrorKind::Overtaken).
/// Some services and `file://` do not support conditional requests. For such a service, set an option such as
/// `aws_conditional_put` = `disabled`. The storage then checks that the published file is unchanged, and replaces it
/// with a second request. A run that publishes between these two requests may be overwritten.
///
/// **Headers.** Files get the content type of their format (`application/xml`, `text/plain; charset=utf-8`,
/// `application/gzip`). They get no `Content-Encoding`, because clients would then decompress `.gz` files.
///
/// **Memory.** A file stays in memory until it is finished and has been compared with the published file, so unchanged
/// files are not uploaded. This takes up to 16 MiB for each file being written, and up to 64 MiB for all finished
/// files. Beyond these limits, files are uploaded before the comparison. A file larger than 16 MiB is uploaded in
/// parts. If a run is killed, such parts stay in the bucket. They are invisible but cost money, so let the bucket's
/// lifecycle rules abort incomplete uploads.
///
/// **Retries.** Every request is retried after a temporary failure: a dropped connection, a lost response, a timeout,
/// or a response such as `503 SlowDown`. Each request is retried up to 50 times within three minutes, with pauses that
/// grow from a tenth of a second to ten seconds; see [`retry_for`](Self::retry_for) and
/// [`retry_pauses`](Self::retry_pauses). [`Summary::retries`](sitemap_core::Summary::retries) and [`Storage::retries`]
/// return the number of retries. If the response to a conditional put is lost, the service refuses the retry, so the
/// storage compares the stored file with its own. If the response to the first request of a multipart upload is lost,
/// an empty upload stays in the bucket.
///
/// **First request.** The first request checks that the bucket answers, exists and accepts the credentials. It gives up
/// after ten seconds; see [`answer_within`](Self::answer_within) and [`connect`](Self::connect). Write permission is
/// not checked until the first file is uploaded.
///
/// By default, each attempt times out after 30 seconds, and connecting times out after 5 seconds. To change this, set
/// the options `timeout` and `connect_timeout`, for example `("timeout", "2 minutes")`. The storage sends requests on
/// its own thread, so it also works inside an async runtime.
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
    /// For tests, `file:///folder` creates a folder, and `memory:///` is a new, empty storage each time it is opened.
    ///
    /// Credentials and other settings come from the clouds' metadata services and from environment variables such as
    /// `AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL`, `GOOGLE_SERVICE_ACCOUNT` and
    /// `AZURE_STORAGE_ACCOUNT_NAME`. `AWS_ALLOW_HTTP=true` allows plain HTTP endpoints. This method sends no request to
    /// the bucket.
    ///
    /// # Errors
    ///
    /// [`StorageError::Io`] if the URL does not have one of these forms, or if a setting is missing or contradicts
    /// another one.
    pub fn open(url: &str) -> Result<Self, StorageError> {
        Self::open_with(url, [("", ""); 0])
    }

    /// Opens a bucket or folder like [`open`](Self::open), with options that override the environment.
    ///
    /// Option names are those of the crate `object_store`: `aws_endpoint`, `aws_allow_http`, `google_service_account`,
    /// `azure_storage_account_key`, `timeout` and so on.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open). Also [`StorageError::Io`] if the service has no option with one of these
    /// names.
    pub fn open_with<K: Into<String>, V: Into<String>>(
        url: &str,
        options: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, StorageError> {
        let options: Vec<_> = options.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let opened = Location::open(url, options).and_then(|location| {
            let (unsent, contact) = Default::default();
            Ok(Shared { location, worker: RequestThread::start()?, unsent, contact })
        });
        match opened {
            Ok(shared) => {
                let (cache_control, acl, storage_class, placing) = Default::default();
                let shared = Arc::new(shared);
                Ok(Self { bucket: Bucket { shared, cache_control, acl, storage_class, placing } })
            }
            Err(error) => Err(StorageError::io("open", Path::new(&without_password(url)), error)),
        }
    }

    /// Sets the `Cache-Control` header of every file in the set. Default: the service's default.
    ///
    /// All files get the same header, so choose a time that is right for `sitemap.xml`: it is the most requested file,
    /// and it must be fresh even if digest names make the other files immutable. Files that a run does not replace keep
    /// the header they were uploaded with.
    pub fn cache_control(mut self, value: impl Into<String>) -> Self {
        self.bucket.cache_control = Some(value.into().into());
        self
    }

    /// Gives the set's files a predefined access control list of S3 or Google Cloud Storage, such as `public-read`.
    /// Default: none, so the bucket's policy decides.
    ///
    /// If the bucket ignores or refuses access control lists, the run fails. New buckets on S3 and Google Cloud Storage
    /// do this by default.
    ///
    /// ```
    /// # use sitemap_object_store::ObjectStorage;
    /// let bucket = ObjectStorage::open("s3://bucket/sitemaps")?.acl("public-read")?;
    /// assert!(format!("{bucket:?}").contains("public-read"));
    ///
    /// assert_eq!(
    ///     ObjectStorage::open("memory:///x")?.acl("public-read").unwrap_err().to_string(),
    ///     "cannot set the access control list of `memory:///x`: only S3 and Google Cloud Storage have access control \
    ///      lists for files; set the access of the container instead"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`StorageError::Io`] if the service has no access control lists for files, such as Azure, or if the value is not
    /// valid in a header.
    pub fn acl(mut self, value: impl Into<String>) -> Result<Self, StorageError> {
        self.bucket.acl = Some(value.into().into());
        if !self.place_with_headers("set the access control list of")? {
            let error = io::Error::new(
                io::ErrorKind::Unsupported,
                "only S3 and Google Cloud Storage have access control lists for files; set the access of the \
                 container instead",
            );
            return Err(self.storage_error("set the access control list of", error));
        }
        Ok(self)
    }

    /// Sets the storage class of the set's files, such as `STANDARD_IA`. On Azure, sets the access tier, such as
    /// `Cool`. Default: the bucket's default.
    ///
    /// # Errors
    ///
    /// [`StorageError::Io`] if the value is not valid in a header, and for `memory://` and `file://`.
    pub fn storage_class(mut self, value: impl Into<String>) -> Result<Self, StorageError> {
        self.bucket.storage_class = Some(value.into().into());
        let has_headers = self.place_with_headers("set the storage class of")?;
        if !has_headers && self.bucket.shared.location.retries.is_none() {
            let error = io::Error::new(io::ErrorKind::Unsupported, "it has no storage classes; use a bucket");
            return Err(self.storage_error("set the storage class of", error));
        }
        Ok(self)
    }

    /// Sets how long to keep retrying a failed request. Default: three minutes. All clones share this setting.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// # use sitemap_core::Storage as _;
    /// # use sitemap_object_store::ObjectStorage;
    /// let bucket = ObjectStorage::open("memory:///")?.retry_for(Duration::from_secs(600));
    /// assert_eq!(bucket.retries(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retry_for(self, total: Duration) -> Self {
        self.change_limits(|limits| limits.total = total)
    }

    /// Sets the first and the longest pause between attempts. Each pause is about twice as long as the previous one.
    /// Default: 100 milliseconds and 10 seconds. All clones share this setting.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// # use sitemap_core::Storage as _;
    /// # use sitemap_object_store::ObjectStorage;
    /// let bucket = ObjectStorage::open("memory:///")?;
    /// let bucket = bucket.retry_pauses(Duration::from_secs(1), Duration::from_secs(30));
    /// assert_eq!(bucket.retries(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retry_pauses(self, first: Duration, longest: Duration) -> Self {
        self.change_limits(|limits| (limits.first_pause, limits.longest_pause) = (first, longest))
    }

    /// Sets how long to wait for the bucket's first answer. Default: 10 seconds. All clones share this setting.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// # use sitemap_core::Storage as _;
    /// # use sitemap_object_store::ObjectStorage;
    /// let bucket = ObjectStorage::open("memory:///")?.answer_within(Duration::from_secs(30));
    /// bucket.connect()?;
    /// # assert_eq!(bucket.retries(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer_within(self, time: Duration) -> Self {
        self.change_limits(|limits| limits.first_answer = time)
    }

    fn change_limits(self, change: impl FnOnce(&mut Limits)) -> Self {
        if let Some(retries) = &self.bucket.shared.location.retries {
            change(&mut retries.limits());
        }
        self
    }

    /// Checks that the bucket answers, exists and accepts the credentials. Every other operation does this first as
    /// well, so call this only to find out early, for example before reading the records.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// # use sitemap_object_store::ObjectStorage;
    /// // No server listens on this port.
    /// let options = [
    ///     ("aws_endpoint", "http://127.0.0.1:9"),
    ///     ("aws_allow_http", "true"),
    ///     ("aws_access_key_id", "x"),
    ///     ("aws_secret_access_key", "x"),
    /// ];
    /// let bucket = ObjectStorage::open_with("s3://bucket/x", options)?.answer_within(Duration::from_millis(500));
    /// assert_eq!(
    ///     bucket.connect().unwrap_err().to_string(),
    ///     "cannot reach `s3://bucket/x`: `127.0.0.1:9` did not answer within 0.5 seconds: connection refused; check \
    ///      the endpoint, the region and the network"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`StorageError::Io`] with the cause and a remedy.
    pub fn connect(&self) -> Result<(), StorageError> {
        let Shared { contact, location, worker, .. } = &*self.bucket.shared;
        contact.make(location, worker).map_err(|error| self.storage_error("reach", error))
    }

    /// Creates a client that sends headers for the access control list and storage class. Returns `false` if the
    /// service has no such headers.
    fn place_with_headers(&mut self, action: &'static str) -> Result<bool, StorageError> {
        let Bucket { shared, acl, storage_class, .. } = &self.bucket;
        let placing = shared.location.store_with(acl.as_deref(), storage_class.as_deref());
        self.bucket.placing = placing.map_err(|error| self.storage_error(action, error))?;
        Ok(self.bucket.placing.is_some())
    }

    fn storage_error(&self, action: &'static str, error: io::Error) -> StorageError {
        StorageError::io(action, &self.bucket.shared.location.locate(""), error)
    }

    /// Removes a temporary file that was copied to its final name. Ignores errors, because a later run removes leftover
    /// temporary files.
    fn remove_staged(&self, name: &str) {
        let _ = self.remove(name);
    }
}

/// Returns a URL without its password, for use in messages.
fn without_password(text: &str) -> String {
    let Ok(mut url) = Url::parse(text) else { return text.to_owned() };
    if url.password().is_some() && url.set_password(None).is_ok() { url.into() } else { text.to_owned() }
}

impl Storage for ObjectStorage {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        Ok(None)
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        // A temporary name contains 64 random bits, so it would be pointless to check whether such a file exists.
        if final_name(name).is_none() && self.metadata(name)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(Box::new(ObjectFile::new(self.bucket.clone(), name)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        if let Some(bytes) = self.bucket.shared.unsent.get(from) {
            self.bucket.send(to, bytes)?;
        } else {
            self.bucket.copy(from, to)?;
        }
        self.remove_staged(from);
        Ok(())
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        let bytes = self.bucket.read(from)?;
        let is_renamed = match self.bucket.send_if(to, bytes.clone(), seen)? {
            Some(true) => true,
            // The put may still have succeeded: if the response was lost, the client sent the request again, and the
            // service refused the second one. In that case, the stored file already has the new bytes.
            //
            // Equal bytes cannot come from another run. A journal names its run. The entry point and the manifest are
            // replaced only by the run that owns the journal, or by a run that completes that run's commit and so
            // performs the same steps.
            Some(false) => match self.bucket.read(to) {
                Ok(stored) => stored == bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => false,
                Err(error) => return Err(error),
            },
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

    /// Removes a file. Also succeeds if there is no such file, because services do not report that.
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
        self.bucket.sent_metadata(name)
    }

    /// Lists the files on S3, where a list contains every file stored before. One request lists a thousand files.
    ///
    /// This is not used on other services: Google Cloud Storage lists no file versions, and the rest may not be able to
    /// start a list in the middle.
    fn find_listed(&self, names: &[&str]) -> Vec<Option<Metadata>> {
        let shared = &self.bucket.shared;
        if !shared.location.lists_in_order {
            return vec![None; names.len()];
        }
        let folder = shared.location.folder();
        let wanted: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let found =
            shared.call(move |store| async move { Ok(find_listed(&*store, folder.as_ref(), &wanted).await) });
        let Ok(found) = found else { return vec![None; names.len()] };
        found.iter().map(|meta| meta.as_ref().map(|meta| shared.listed_metadata(meta))).collect()
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

    /// Temporary names begin with a dot, and services list names in order, so one request is enough for a set of any
    /// size. Listing all of 50,000 files would take 50 requests, one after another. A service that does not sort its
    /// lists may miss some temporary files.
    fn list_temporary(&self) -> io::Result<Vec<String>> {
        let folder = self.bucket.shared.location.folder();
        self.bucket.shared.call(move |store| async move { list_temporary(&*store, folder.as_ref()).await })
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.bucket.send(name, Bytes::copy_from_slice(bytes))
    }

    /// Uploads a file that is still in memory. A run calls this when it knows that the file has changed.
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

    fn retries(&self) -> u64 {
        self.bucket.shared.location.retries.as_ref().map_or(0, |retries| retries.count())
    }

    fn locate(&self, name: &str) -> PathBuf {
        self.bucket.shared.location.locate(name)
    }
}

/// Omits the options, because they may contain secrets.
impl fmt::Debug for ObjectStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bucket { shared, cache_control, acl, storage_class, .. } = &self.bucket;
        f.debug_struct("ObjectStorage")
            .field("url", &shared.location.url)
            .field("cache_control", cache_control)
            .field("acl", acl)
            .field("storage_class", storage_class)
            .finish_non_exhaustive()
    }
}
