//! A cache of files from storage, limited in size.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;

use super::cached_files::{CachedFiles, Checked, ReadFile};
use super::file::File;
use super::lock::lock;
use super::report;
use super::service_status::ServiceStatus;
use super::set_search::SetSearch;
use super::source::{Found, Source};
use sitemap_core::Storage;
use sitemap_core::clock;
use sitemap_core::clock::Start;
use sitemap_core::publish::files::{ENTRY_POINT, index_file_name};
use sitemap_core::storage::Metadata;

#[derive(Debug)]
pub(super) struct Cache {
    storage: Arc<dyn Storage>,
    /// The maximum total size of the cached files, in bytes. A file larger than this is not cached.
    capacity: u64,
    /// How long a file is served without another check, once it has been checked.
    revalidate_after: Duration,
    known: Arc<Known>,
    files: Mutex<CachedFiles>,
    start: Start,
}

/// The state that all caches of a set share.
#[derive(Debug, Default)]
struct Known {
    /// The number of times that this process has published. A publication invalidates all earlier checks.
    publications: AtomicU64,
    /// Whether the storage had an entry point when it was last asked.
    has_set: AtomicBool,
    /// The total size of the files in the caches, in bytes, both plain and compressed.
    bytes: AtomicU64,
    /// The storage's answers and failures. The `has_set` and `bytes` of this status are unused; the fields above hold
    /// them.
    status: Mutex<ServiceStatus>,
    search: Mutex<SetSearch>,
}

/// A running check of one file. Meanwhile, other requests get the cached file.
struct Check<'c> {
    cache: &'c Cache,
    name: &'c str,
    publications: u64,
    start: Start,
}

impl Cache {
    pub(super) fn new(storage: Arc<dyn Storage>, capacity: u64, revalidate_after: Duration) -> Self {
        Self {
            storage,
            capacity,
            revalidate_after,
            known: Arc::default(),
            files: Mutex::default(),
            start: Start::now(),
        }
    }

    /// Returns an empty cache of the same storage with other settings.
    pub(super) fn with(&self, capacity: Option<u64>, revalidate_after: Option<Duration>) -> Self {
        Self {
            storage: Arc::clone(&self.storage),
            capacity: capacity.unwrap_or(self.capacity),
            revalidate_after: revalidate_after.unwrap_or(self.revalidate_after),
            known: Arc::clone(&self.known),
            files: Mutex::default(),
            start: self.start,
        }
    }

    pub(super) fn storage(&self) -> &Arc<dyn Storage> {
        &self.storage
    }

    /// Records that this process has published, so this cache and all others of the set check each file before they
    /// serve it again.
    pub(super) fn note_publication(&self) {
        self.known.publications.fetch_add(1, Ordering::SeqCst);
        self.known.has_set.store(true, Ordering::SeqCst);
    }

    /// Returns `true` if the storage had a set when it was last asked.
    pub(super) fn has_set(&self) -> bool {
        self.known.has_set.load(Ordering::SeqCst)
    }

    /// Looks for the entry point of the set, and reads it into the cache.
    pub(super) fn look(&self) -> io::Result<()> {
        match self.begin(ENTRY_POINT) {
            Ok(_) => Ok(()),
            Err(check) => self.fetch(&check).map(drop),
        }
    }

    /// Searches for the set as a request would, unless a set is known or the last search was less than a second ago.
    /// `start` runs the search on another thread.
    pub(super) fn look_if_due(self: Arc<Self>, start: impl FnOnce(Box<dyn FnOnce() + Send>)) {
        /// Ends the search, even if the storage panics.
        struct Look(Arc<Cache>);

        impl Drop for Look {
            fn drop(&mut self) {
                lock(&self.0.known.search).end();
            }
        }

        if !self.has_set() && lock(&self.known.search).begin(self.start.elapsed()) {
            let look = Look(self);
            start(Box::new(move || drop(look.0.find(ENTRY_POINT))));
        }
    }

    /// Returns the cached file, or a check to run if the file needs one.
    fn begin<'c>(&'c self, name: &'c str) -> Result<Found, Check<'c>> {
        let publications = self.known.publications.load(Ordering::SeqCst);
        match lock(&self.files).begin(name, publications) {
            Some(found) => Ok(found),
            None => Err(Check { cache: self, name, publications, start: Start::now() }),
        }
    }

    /// Finds a file in the storage, and reads it if it has changed since it was cached.
    fn fetch(&self, check: &Check<'_>) -> io::Result<Found> {
        let name = check.name;
        let read = match self.storage.metadata(name)? {
            None => None,
            Some(metadata) => {
                let confirmed = lock(&self.files).confirm(name, &metadata, check.passed());
                match confirmed {
                    Some(file) => return Ok(self.found(name, file)),
                    None => self.load(name, metadata)?,
                }
            }
        };
        let Some(read) = read else {
            return self.missing(check);
        };
        let file = Arc::clone(&read.file);
        self.change(|files| files.insert(name, Some(read), check.passed(), self.capacity));
        Ok(self.found(name, file))
    }

    /// Changes the cached files and updates their total size.
    fn change(&self, change: impl FnOnce(&mut CachedFiles)) {
        let mut files = lock(&self.files);
        change(&mut files);
        let (before, now) = files.recount();
        self.known.bytes.fetch_add(now.wrapping_sub(before), Ordering::SeqCst);
    }

    /// Returns the total size of the files in all caches of the set, in bytes, both plain and compressed.
    pub(super) fn bytes(&self) -> u64 {
        self.known.bytes.load(Ordering::SeqCst)
    }

    fn found(&self, name: &str, file: Arc<File>) -> Found {
        if name == ENTRY_POINT {
            self.known.has_set.store(true, Ordering::SeqCst);
        }
        Found::File(file)
    }

    fn missing(&self, check: &Check<'_>) -> io::Result<Found> {
        let name = check.name;
        self.change(|files| files.remove(name));
        let has_set = name != ENTRY_POINT && self.storage.metadata(ENTRY_POINT)?.is_some();
        if !has_set {
            // This process may have just published the first set.
            if self.known.publications.load(Ordering::SeqCst) == check.publications {
                self.known.has_set.store(false, Ordering::SeqCst);
            }
            return Ok(Found::NoSet);
        }
        self.known.has_set.store(true, Ordering::SeqCst);
        if is_asked_by_robots(name) {
            self.change(|files| files.insert(name, None, check.passed(), self.capacity));
        }
        Ok(Found::Missing)
    }

    /// Reads a file's bytes together with the metadata of the same version. The file may be replaced while it is read,
    /// so the metadata is requested again afterwards and compared.
    fn load(&self, name: &str, mut metadata: Metadata) -> io::Result<Option<ReadFile>> {
        const ATTEMPTS: usize = 4;

        let mut attempts = ATTEMPTS;
        loop {
            let bytes = match self.storage.bytes(name) {
                Some(bytes) => Bytes::from_owner(bytes),
                None => match self.read(name, metadata.len) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                    read => read?,
                },
            };
            let read = clock::now().ok();
            let Some(after) = self.storage.metadata(name)? else { return Ok(None) };
            attempts -= 1;
            if after == metadata && bytes.len() as u64 == metadata.len {
                let file = Arc::new(File::new(name, bytes, Some(metadata.modified)));
                return Ok(Some(ReadFile { file, metadata, read }));
            }
            if attempts == 0 {
                return Err(io::Error::other(format!(
                    "the file was replaced during each of {ATTEMPTS} attempts to read it"
                )));
            }
            metadata = after;
        }
    }

    fn read(&self, name: &str, len: u64) -> io::Result<Bytes> {
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or_default());
        // Reads at most one byte more than expected, which is enough to see that the file has grown.
        self.storage.open(name)?.take(len.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }
}

impl Check<'_> {
    /// Returns how long a successful check is valid.
    fn passed(&self) -> Checked {
        Checked::now(self.publications, self.cache.revalidate_after)
    }

    /// Returns how long the cached file is served after a failed check. If the storage takes minutes to fail, requests
    /// should not all wait for it.
    fn failed(&self) -> Checked {
        Checked::now(self.publications, self.cache.revalidate_after.max(self.start.elapsed()))
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.change(CachedFiles::clear);
    }
}

impl Drop for Check<'_> {
    fn drop(&mut self) {
        lock(&self.cache.files).end(self.name);
    }
}

impl Source for Cache {
    fn find_ready(&self, name: &str) -> Option<Found> {
        let publications = self.known.publications.load(Ordering::SeqCst);
        lock(&self.files).ready(name, publications)
    }

    fn has_index(&self, name: &str) -> bool {
        (name == ENTRY_POINT || is_asked_by_robots(name)) && lock(&self.files).contains(name)
    }

    fn note_growth(&self) {
        self.change(|files| files.shrink_to(self.capacity));
    }

    fn status(&self) -> ServiceStatus {
        let status = lock(&self.known.status).clone();
        ServiceStatus { has_set: self.has_set(), bytes: self.bytes(), ..status }
    }

    fn find(&self, name: &str) -> Found {
        let check = match self.begin(name) {
            Ok(found) => return found,
            Err(check) => check,
        };
        let fetched = self.fetch(&check);
        if fetched.is_ok() {
            lock(&self.known.status).succeed();
        }
        fetched.unwrap_or_else(|error| {
            let is_first = lock(&self.known.status).fail(format!("cannot read `{name}`: {error}"));
            report::unreadable_file(name, &error, is_first);
            lock(&self.files).fail(name, check.failed()).unwrap_or(Found::Failed)
        })
    }
}

/// Returns `true` for the names of all indexes but the first. robots.txt lists all indexes, so every request for
/// robots.txt asks for the first index that does not exist, and should not wait for the storage.
fn is_asked_by_robots(name: &str) -> bool {
    /// A number that is higher than that of any set's last index. It limits how many missing names the cache remembers,
    /// whatever clients request.
    const MOST: usize = 32;

    (2..=MOST).any(|number| index_file_name(number) == name)
}
