//! A cache of a storage's files, up to a given size.

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
    /// The maximum total size of the cached files, in bytes. A single file that is larger is not cached.
    capacity: u64,
    /// The time after a check during which a file is not checked again.
    revalidate_after: Duration,
    known: Arc<Known>,
    files: Mutex<CachedFiles>,
    start: Start,
}

/// What all caches of a set know.
#[derive(Debug, Default)]
struct Known {
    /// The number of publications by this process. A check before the last of them does not count.
    publications: AtomicU64,
    /// True if the storage had an entry point when it was last asked.
    has_set: AtomicBool,
    /// The number of bytes of files in the caches, plain and compressed.
    bytes: AtomicU64,
    /// The answers and failures of the storage. `has_set` and `bytes` are those above.
    status: Mutex<ServiceStatus>,
    search: Mutex<SetSearch>,
}

/// A check of one file that is under way. Meanwhile, other requests get the cached file.
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

    /// Returns an empty cache of the same storage, with other settings.
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

    /// Makes this cache and all others of the set check their files before they serve them again, because this process
    /// has published.
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

    /// Looks for the set like a request, if a look is due: without a known set, at most once a second. `start` runs the look
    /// on another thread.
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

    /// Returns the cached file if it needs no check, and otherwise the check.
    fn begin<'c>(&'c self, name: &'c str) -> Result<Found, Check<'c>> {
        let publications = self.known.publications.load(Ordering::SeqCst);
        match lock(&self.files).begin(name, publications) {
            Some(found) => Ok(found),
            None => Err(Check { cache: self, name, publications, start: Start::now() }),
        }
    }

    /// Finds a file in the storage. Reads it if it has changed since it was cached.
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

    /// Changes the cached files, and counts their bytes again.
    fn change(&self, change: impl FnOnce(&mut CachedFiles)) {
        let mut files = lock(&self.files);
        change(&mut files);
        let (before, now) = files.recount();
        self.known.bytes.fetch_add(now.wrapping_sub(before), Ordering::SeqCst);
    }

    /// Returns the number of bytes of files in all caches of the set, plain and compressed.
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
            // Unless this process has just published the first set.
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

    /// Reads a file's bytes and the metadata of the same version. The file may be replaced while it is read, so
    /// the metadata is requested again after reading and compared.
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
    /// Returns how long the result of the check counts.
    fn passed(&self) -> Checked {
        Checked::now(self.publications, self.cache.revalidate_after)
    }

    /// Returns how long the cached file counts after a check that has failed. While a storage takes minutes to fail,
    /// requests should not all wait for it.
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

/// Returns `true` for the names of indexes after the first. robots.txt lists all indexes, so each request for it asks for
/// the first one that is missing, and should not wait for the storage.
fn is_asked_by_robots(name: &str) -> bool {
    /// More indexes than any set has. The cache keeps no more missing names, whatever clients ask for.
    const MOST: usize = 32;

    (2..=MOST).any(|number| index_file_name(number) == name)
}
