//! A set in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use bytes::Bytes;

use super::file::File;
use super::lock::lock;
#[cfg(feature = "gzip")]
use super::old_files;
use super::service_status::ServiceStatus;
use super::source::{Found, Source};
use sitemap_core::Memory;
use sitemap_core::publish::files::is_set_file;
use sitemap_core::storage::MemoryFile;

/// A set in memory that is replaced in one step.
#[derive(Debug, Default)]
pub(super) struct MemorySet {
    /// Locked only while the pointer is copied or replaced, so requests never wait for a refresh.
    current: Mutex<Option<Arc<Snapshot>>>,
}

/// The files of one published set. They never change.
#[derive(Debug)]
struct Snapshot {
    memory: Memory,
    files: HashMap<Arc<str>, Arc<File>>,
}

/// A hidden copy of the set that shares the bytes of all files. The next set is published to it.
#[derive(Debug)]
pub(super) struct Copied {
    pub(super) memory: Memory,
    before: Option<Arc<Snapshot>>,
}

impl MemorySet {
    fn current(&self) -> Option<Arc<Snapshot>> {
        lock(&self.current).clone()
    }

    /// Returns the number of files, including the index and the files kept from earlier sets. `None` without a set.
    pub(super) fn files(&self) -> Option<usize> {
        self.current().map(|current| current.files.len())
    }

    /// Returns the total size of all files in bytes, both plain and compressed. Zero without a set.
    pub(super) fn bytes(&self) -> u64 {
        self.current().map_or(0, |current| current.files.values().map(|file| file.size()).sum())
    }

    pub(super) fn copy(&self) -> Copied {
        let before = self.current();
        let memory = before.as_ref().map(|current| current.memory.snapshot()).unwrap_or_default();
        Copied { memory, before }
    }

    /// Serves a new set instead of the old one, if the new set is still wanted. Returns `false` if it is not.
    pub(super) fn serve(&self, copied: Copied, is_wanted: impl FnOnce() -> bool) -> bool {
        let Copied { memory, before } = copied;
        #[cfg(feature = "gzip")]
        old_files::decompress_listed(&memory);
        let next = Arc::new(Snapshot::new(memory, before.as_deref()));
        let old = {
            let mut current = lock(&self.current);
            if !is_wanted() {
                return false;
            }
            current.replace(Arc::clone(&next))
        };
        // Dropping a large set takes time, so release the lock first.
        drop((old, before));
        #[cfg(feature = "gzip")]
        old_files::compress(&next.memory, &next.files);
        true
    }
}

impl Source for MemorySet {
    fn find_ready(&self, name: &str) -> Option<Found> {
        Some(self.find(name))
    }

    fn has_index(&self, _: &str) -> bool {
        true
    }

    fn status(&self) -> ServiceStatus {
        let (has_set, bytes) = (self.files().is_some(), self.bytes());
        ServiceStatus { has_set, bytes, ..ServiceStatus::default() }
    }

    fn find(&self, name: &str) -> Found {
        match self.current() {
            None => Found::NoSet,
            Some(set) => set.files.get(name).map_or(Found::Missing, |file| Found::File(Arc::clone(file))),
        }
    }
}

impl Snapshot {
    /// Collects the files of a published set. Unchanged files are reused from the previous set, including their digests
    /// and compressed bytes.
    fn new(memory: Memory, before: Option<&Self>) -> Self {
        let all = memory.files();
        let mut files = HashMap::with_capacity(all.len());
        for file in all {
            if is_set_file(file.name()) {
                let before = before.and_then(|before| before.files.get(file.name()));
                files.insert(Arc::clone(file.name()), served(&file, before));
            }
        }
        Self { memory, files }
    }
}

/// Returns a file of the set. If the previous set has the same file, reuses it, including its digest and compressed
/// bytes.
fn served(file: &MemoryFile, before: Option<&Arc<File>>) -> Arc<File> {
    // A compressed file comes from an earlier set. A run always decompresses a file before replacing it.
    let is_same = |before: &File| match file.compressed() {
        Some(_) => before.is_compressed(),
        None => before.shares(&file.bytes()),
    };
    before.filter(|before| is_same(before)).map_or_else(
        || Arc::new(File::new(file.name(), Bytes::from_owner(file.bytes()), Some(file.modified()))),
        Arc::clone,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitemap_core::{Site, SitemapSet};

    #[test]
    fn a_set_that_is_not_wanted_any_more_is_not_served() {
        let set = MemorySet::default();
        let publish = || {
            let copied = set.copy();
            let site = Site::new("https://example.com").unwrap();
            let mut run = SitemapSet::builder(site).storage(copied.memory.clone()).replace().unwrap();
            run.section("pages").unwrap().add("/").unwrap();
            run.commit().unwrap();
            copied
        };
        assert!(!set.serve(publish(), || false));
        assert_eq!(set.files(), None);
        assert!(set.serve(publish(), || true));
        assert_eq!(set.files(), Some(1));
    }
}
