//! The files in a cache, and how long the last check of each is valid.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::file::File;
use super::source::Found;
use sitemap_core::clock::Start;
use sitemap_core::storage::Metadata;

/// How old the last check of a file may be if the file is served while another request checks it. A much older index
/// could list files that the storage no longer has.
const OLDEST: Duration = Duration::from_secs(600);

/// The coarsest resolution of file times in any common file system. Two versions written within this time may have the
/// same metadata.
const LONGEST_TICK: Duration = Duration::from_secs(2);

#[derive(Debug, Default)]
pub(super) struct CachedFiles {
    files: HashMap<String, Cached>,
    /// Counts all uses of files. Each file stores the value from its last use.
    uses: u64,
    /// The total size in bytes, as of the last count.
    counted: u64,
}

#[derive(Debug)]
struct Cached {
    /// `None` if the storage has no file with this name.
    file: Option<ReadFile>,
    /// The number of times that this process had published before it read the file.
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
    /// A time between reading the file and the last comparison of its metadata. `None` without a clock.
    pub(super) read: Option<SystemTime>,
}

impl ReadFile {
    /// Returns `true` if any other version of the file would have different metadata.
    fn is_settled(&self) -> bool {
        let modified = self.metadata.modified;
        // The storage's clock may be ahead of this process's clock.
        let age = |read: SystemTime| read.duration_since(modified).unwrap_or_else(|error| error.duration());
        self.metadata.tag.is_some() || self.read.is_some_and(|read| age(read) >= LONGEST_TICK)
    }
}

/// How long a file's check is valid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked {
    /// The number of times that this process had published before the check.
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
    /// Returns a file if it needs no check. A file that another request is checking needs no second check, unless this
    /// process has published since.
    pub(super) fn ready(&mut self, name: &str, publications: u64) -> Option<Found> {
        let cached = self.files.get_mut(name)?;
        // A file named by its digest never changes.
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

    /// Like [`ready`](Self::ready), but if the file needs a check, marks it as being checked.
    pub(super) fn begin(&mut self, name: &str, publications: u64) -> Option<Found> {
        let found = self.ready(name, publications);
        if found.is_none()
            && let Some(cached) = self.files.get_mut(name)
        {
            cached.is_being_checked = true;
        }
        found
    }

    /// Marks a check as ended.
    pub(super) fn end(&mut self, name: &str) {
        if let Some(cached) = self.files.get_mut(name) {
            cached.is_being_checked = false;
        }
    }

    /// Records a check and returns the cached file, if its metadata is unchanged. If the metadata has no entity tag, a
    /// file must be read again when this process may have published it since, or when it was modified just before it
    /// was read.
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

    /// Records a failed check. Returns the cached file, which may be outdated.
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

    /// Adds a file or the fact that it is missing, then removes the least recently used files until the total size is
    /// at most `capacity`. A file larger than `capacity` is not added.
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

    /// Removes the least recently used files until the total size is at most `capacity`. Also called after a file is
    /// compressed, because that takes more memory.
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

    /// Updates the total size. Returns the old and the new size.
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
    /// The name contains the digest of an empty file.
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
        // A check that began before this process published tells nothing about the new set.
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
            // A failed check tells nothing about the file.
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
