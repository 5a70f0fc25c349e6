//! The files of a cache, and until when they count as checked.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::file::File;
use super::source::Found;
use sitemap_core::clock::Start;
use sitemap_core::storage::Metadata;

/// The longest time since the last check of a file that is served while another request checks it. An index that is much
/// older could list files that the storage no longer has.
const OLDEST: Duration = Duration::from_secs(600);

/// The coarsest ticks in which file systems count the times of files. Of two versions that are written within one tick, the
/// metadata may be the same.
const LONGEST_TICK: Duration = Duration::from_secs(2);

#[derive(Debug, Default)]
pub(super) struct CachedFiles {
    files: HashMap<String, Cached>,
    /// A counter that each use of any file increases. Each file stores the value of the counter at its last use.
    uses: u64,
    /// The total size when it was last counted, in bytes.
    counted: u64,
}

#[derive(Debug)]
struct Cached {
    /// `None` if the storage has no file of this name.
    file: Option<ReadFile>,
    /// The number of publications by this process before the file was read.
    publications: u64,
    checked: Checked,
    is_being_checked: bool,
    last_use: u64,
}

/// A file that was read from the storage.
#[derive(Debug)]
pub(super) struct ReadFile {
    pub(super) file: Arc<File>,
    pub(super) metadata: Metadata,
    /// The time after reading, and before the metadata was compared for the last time. `None` without a clock.
    pub(super) read: Option<SystemTime>,
}

impl ReadFile {
    /// Returns `true` if another version of the file would have other metadata.
    fn is_settled(&self) -> bool {
        let modified = self.metadata.modified;
        // The clock of the storage may be ahead of that of this process.
        let age = |read: SystemTime| read.duration_since(modified).unwrap_or_else(|error| error.duration());
        self.metadata.tag.is_some() || self.read.is_some_and(|read| age(read) >= LONGEST_TICK)
    }
}

/// The time for which a check of a file counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked {
    /// The number of publications by this process before the check.
    publications: u64,
    since: Start,
    time: Duration,
}

impl Checked {
    pub(super) fn now(publications: u64, time: Duration) -> Self {
        Self { publications, since: Start::now(), time }
    }

    fn is_over(&self) -> bool {
        self.since.elapsed() >= self.time
    }
}

impl CachedFiles {
    /// Returns a file that needs no check. While another request checks a file, no further check is needed, unless this
    /// process has published since.
    pub(super) fn ready(&mut self, name: &str, publications: u64) -> Option<Found> {
        let cached = self.files.get_mut(name)?;
        // The bytes of a file that is named by its digest never change.
        let is_immutable = cached.file.as_ref().is_some_and(|read| read.file.is_immutable());
        let checked = &cached.checked;
        let may_be_old = cached.is_being_checked && checked.since.elapsed() < OLDEST;
        let is_current = checked.publications == publications && (may_be_old || !checked.is_over());
        if !(is_immutable || is_current) {
            return None;
        }
        self.uses += 1;
        cached.last_use = self.uses;
        Some(cached.found())
    }

    /// Does the same as [`ready`](Self::ready). If the file needs a check, notes that it is being checked.
    pub(super) fn begin(&mut self, name: &str, publications: u64) -> Option<Found> {
        let found = self.ready(name, publications);
        if found.is_none()
            && let Some(cached) = self.files.get_mut(name)
        {
            cached.is_being_checked = true;
        }
        found
    }

    /// Notes the end of a check.
    pub(super) fn end(&mut self, name: &str) {
        if let Some(cached) = self.files.get_mut(name) {
            cached.is_being_checked = false;
        }
    }

    /// Returns the cached file if its metadata is unchanged, and notes the check. Without a tag in the metadata, a file that
    /// this process may have published since, or that was modified just before it was read, must be read again.
    pub(super) fn confirm(&mut self, name: &str, metadata: &Metadata, checked: Checked) -> Option<Arc<File>> {
        let cached = self.files.get_mut(name)?;
        let read = cached.file.as_ref().filter(|read| read.metadata == *metadata && read.is_settled())?;
        if metadata.tag.is_none() && cached.publications != checked.publications {
            return None;
        }
        self.uses += 1;
        (cached.checked, cached.last_use) = (checked, self.uses);
        Some(Arc::clone(&read.file))
    }

    /// Notes a check that has failed. Returns what is cached, which may be outdated.
    pub(super) fn fail(&mut self, name: &str, checked: Checked) -> Option<Found> {
        let cached = self.files.get_mut(name)?;
        self.uses += 1;
        (cached.checked, cached.last_use) = (checked, self.uses);
        Some(cached.found())
    }

    pub(super) fn clear(&mut self) {
        self.files.clear();
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.files.remove(name);
    }

    /// Adds a file, or that it is missing, and removes the least recently used files until the total size is at most
    /// `capacity`. A file that alone is larger is not added.
    pub(super) fn insert(&mut self, name: &str, file: Option<ReadFile>, checked: Checked, capacity: u64) {
        self.files.remove(name);
        self.uses += 1;
        let Checked { publications, .. } = checked;
        let cached = Cached { file, publications, checked, is_being_checked: false, last_use: self.uses };
        if cached.size() > capacity {
            return;
        }
        self.files.insert(name.to_owned(), cached);
        self.shrink_to(capacity);
    }

    /// Removes the least recently used files until the total size is at most `capacity`. Files grow when they are
    /// compressed.
    pub(super) fn shrink_to(&mut self, capacity: u64) {
        let mut size = self.size();
        while size > capacity {
            let Some(oldest) =
                self.files.iter().min_by_key(|(_, cached)| cached.last_use).map(|(name, _)| name)
            else {
                return;
            };
            let oldest = oldest.clone();
            if let Some(removed) = self.files.remove(&oldest) {
                size -= removed.size().min(size);
            }
        }
    }
}

impl CachedFiles {
    fn size(&self) -> u64 {
        self.files.values().map(Cached::size).sum()
    }

    /// Counts the total size. Returns the earlier number and the new one.
    pub(super) fn recount(&mut self) -> (u64, u64) {
        let size = self.size();
        (std::mem::replace(&mut self.counted, size), size)
    }
}

impl Cached {
    fn found(&self) -> Found {
        self.file.as_ref().map_or(Found::Missing, |read| Found::File(Arc::clone(&read.file)))
    }

    /// Returns the number of bytes in memory.
    fn size(&self) -> u64 {
        self.file.as_ref().map_or(0, |read| read.file.size())
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);
    /// The digest of an empty file is part of its name.
    const IMMUTABLE: &str = "sitemap-a-1-99aa06d3.xml";

    fn cached(name: &str, time: Duration) -> CachedFiles {
        let mut files = CachedFiles::default();
        let file = Arc::new(File::new(name, Bytes::new(), None));
        let metadata = Metadata::new(0, SystemTime::UNIX_EPOCH);
        let read = ReadFile { file, metadata, read: Some(SystemTime::UNIX_EPOCH + LONGEST_TICK) };
        files.insert(name, Some(read), Checked::now(1, time), 0);
        files
    }

    #[test]
    fn a_check_counts_for_its_time_and_until_the_next_publication() {
        let mut files = cached("sitemap.xml", HOUR);
        assert!(files.ready("sitemap.xml", 1).is_some());
        assert!(files.ready("sitemap.xml", 2).is_none(), "this process has published since");
        let mut files = cached("sitemap.xml", Duration::ZERO);
        assert!(files.ready("sitemap.xml", 1).is_none());
        let mut files = cached(IMMUTABLE, Duration::ZERO);
        assert!(files.ready(IMMUTABLE, 2).is_some());
    }

    #[test]
    fn one_request_checks_and_the_others_get_what_is_cached() {
        let mut files = cached("sitemap.xml", Duration::ZERO);
        assert!(files.begin("sitemap.xml", 1).is_none());
        assert!(files.begin("sitemap.xml", 1).is_some());
        // A check that began before a publication of this process says nothing about the new set.
        assert!(files.begin("sitemap.xml", 2).is_none());
        files.end("sitemap.xml");
        assert!(files.begin("sitemap.xml", 1).is_none());
        assert!(files.begin("sitemap-a-1.xml", 1).is_none(), "it is not cached");
    }

    #[test]
    fn after_a_check_that_has_failed_the_cached_file_counts_for_a_while() {
        let mut files = cached("sitemap.xml", Duration::ZERO);
        assert!(files.begin("sitemap.xml", 2).is_none());
        assert!(matches!(files.fail("sitemap.xml", Checked::now(2, HOUR)), Some(Found::File(_))));
        files.end("sitemap.xml");
        assert!(files.begin("sitemap.xml", 2).is_some());
        assert!(files.fail("sitemap-a-1.xml", Checked::now(2, HOUR)).is_none());
    }

    #[test]
    fn a_file_is_confirmed_only_if_another_version_would_have_other_metadata() {
        let confirms = |tag: Option<&str>, read: Duration, publications: u64| {
            let mut files = CachedFiles::default();
            let file = Arc::new(File::new("sitemap.xml", Bytes::new(), None));
            let modified = SystemTime::UNIX_EPOCH + HOUR;
            let metadata = Metadata::new(0, modified).with_tag(tag.map(str::to_owned));
            let read =
                ReadFile { file, metadata: metadata.clone(), read: Some(SystemTime::UNIX_EPOCH + read) };
            files.insert("sitemap.xml", Some(read), Checked::now(1, HOUR), 0);
            // A check that fails says nothing about the file.
            files.fail("sitemap.xml", Checked::now(2, HOUR));
            files.confirm("sitemap.xml", &metadata, Checked::now(publications, HOUR)).is_some()
        };
        let second = Duration::from_secs(1);
        assert!(confirms(None, HOUR + 2 * second, 1));
        assert!(!confirms(None, HOUR + second, 1), "it was modified a second before");
        assert!(!confirms(None, HOUR.saturating_sub(second), 1), "the clock of the storage is ahead");
        assert!(confirms(None, HOUR.saturating_sub(2 * second), 1));
        assert!(!confirms(None, HOUR + 2 * second, 2), "this process has published since");
        assert!(confirms(Some("a"), HOUR, 2), "each version has another tag");
    }

    #[test]
    fn a_missing_file_is_remembered_like_any_other() {
        let mut files = CachedFiles::default();
        files.insert("sitemap-2.xml", None, Checked::now(1, HOUR), 0);
        assert!(matches!(files.ready("sitemap-2.xml", 1), Some(Found::Missing)));
        assert!(
            files
                .confirm("sitemap-2.xml", &Metadata::new(0, SystemTime::UNIX_EPOCH), Checked::now(1, HOUR))
                .is_none()
        );
        assert!(files.ready("sitemap-2.xml", 2).is_none());
    }
}
