//! Where a live set is published to and served from.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::cache::Cache;
use super::lease::{self, Claim, Lease, REFRESH_NOTE};
use super::memory_set::{Copied, MemorySet};
use super::report;
use super::source::Source;
use sitemap_core::Storage;
use sitemap_core::clock;
use sitemap_core::publish::files::is_set_file;

#[derive(Clone, Debug)]
pub(super) enum Target {
    /// A set that exists only in this process.
    Memory(Arc<MemorySet>),
    /// A set in storage that other processes may share.
    Storage(Arc<Cache>),
}

/// The next set, not yet served.
#[derive(Debug)]
pub(super) enum Next {
    Memory(Arc<MemorySet>, Copied),
    Storage(Arc<Cache>),
}

impl Target {
    /// Returns the source of the files. If they come from storage, also returns its cache.
    pub(super) fn source(&self) -> (Arc<dyn Source>, Option<Arc<Cache>>) {
        match self {
            Self::Memory(set) => (Arc::clone(set) as Arc<dyn Source>, None),
            Self::Storage(cache) => (Arc::clone(cache) as Arc<dyn Source>, Some(Arc::clone(cache))),
        }
    }

    /// Searches for a set that is already published.
    pub(super) fn look(&self) -> io::Result<()> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Storage(cache) => cache.look(),
        }
    }

    /// Returns the number of files in the set, including the index and the files kept from earlier sets. `None` if the
    /// number is unknown.
    pub(super) fn count_files(&self) -> Option<usize> {
        match self {
            Self::Memory(set) => set.files(),
            Self::Storage(cache) => {
                let names = cache.storage().list();
                let names = names.inspect_err(|error| report::storage_failed("list", "", error)).ok()?;
                Some(names.iter().filter(|name| is_set_file(name)).count())
            }
        }
    }

    pub(super) fn has_set(&self) -> bool {
        match self {
            Self::Memory(set) => set.files().is_some(),
            Self::Storage(cache) => cache.has_set(),
        }
    }

    /// Returns the total size of the files in memory in bytes, both plain and compressed.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Memory(set) => set.bytes(),
            Self::Storage(cache) => cache.bytes(),
        }
    }

    pub(super) fn next(&self) -> Next {
        match self {
            Self::Memory(set) => Next::Memory(Arc::clone(set), set.copy()),
            Self::Storage(cache) => Next::Storage(Arc::clone(cache)),
        }
    }

    /// Asks for the lease to refresh the set. If another instance has it, calls `lacks_set`, which searches for that
    /// instance's set.
    pub(super) fn take_lease(&self, interval: Duration, lacks_set: impl FnOnce() -> bool) -> Lease {
        match self {
            Self::Memory(_) => Lease::Ours(Claim::default()),
            Self::Storage(cache) => match clock::now() {
                Ok(now) => lease::take(&**cache.storage(), interval, now, lacks_set),
                // Without a clock, the refresh fails and reports it.
                Err(_) => Lease::Ours(Claim::default()),
            },
        }
    }

    /// Releases the lease after a failed refresh, so the next instance to ask gets it.
    pub(super) fn give_back(&self, claim: Claim) {
        if let Self::Storage(cache) = self {
            // If this fails, the other instances wait for an interval at worst.
            lease::give_back(&**cache.storage(), claim)
                .unwrap_or_else(|error| report::storage_failed("remove", REFRESH_NOTE, &error));
        }
    }

    /// Tells the other instances that this one has refreshed the set.
    pub(super) fn note_success(&self) {
        if let Self::Storage(cache) = self {
            // If this fails, the other instances refresh the set again at worst.
            let noted =
                clock::now().map_err(Into::into).and_then(|now| lease::note_success(&**cache.storage(), now));
            noted.unwrap_or_else(|error| report::storage_failed("write", REFRESH_NOTE, &error));
        }
    }
}

impl Next {
    /// Returns the storage to which the set is published.
    pub(super) fn storage(&self) -> Arc<dyn Storage> {
        match self {
            Self::Memory(_, copied) => Arc::new(copied.memory.clone()),
            Self::Storage(cache) => Arc::clone(cache.storage()),
        }
    }

    /// Serves the published set. Returns `false` if a set in memory was dropped because nobody wants it any more. A set
    /// in storage is already published, so this returns `true`.
    pub(super) fn serve(self, is_wanted: impl FnOnce() -> bool) -> bool {
        match self {
            Self::Memory(set, copied) => set.serve(copied, is_wanted),
            Self::Storage(cache) => {
                cache.note_publication();
                true
            }
        }
    }
}
