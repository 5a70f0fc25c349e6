//! The place of a live set: to where it is published, and from where it is served.

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
    /// A set that only this process has.
    Memory(Arc<MemorySet>),
    /// A set in a storage, which other processes may share.
    Storage(Arc<Cache>),
}

/// The next set, until it is served.
#[derive(Debug)]
pub(super) enum Next {
    Memory(Arc<MemorySet>, Copied),
    Storage(Arc<Cache>),
}

impl Target {
    /// Returns the source of the files, and also the cache, if the files come from a storage.
    pub(super) fn source(&self) -> (Arc<dyn Source>, Option<Arc<Cache>>) {
        match self {
            Self::Memory(set) => (Arc::clone(set) as Arc<dyn Source>, None),
            Self::Storage(cache) => (Arc::clone(cache) as Arc<dyn Source>, Some(Arc::clone(cache))),
        }
    }

    /// Checks whether a set is published already.
    pub(super) fn look(&self) -> io::Result<()> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Storage(cache) => cache.look(),
        }
    }

    /// Returns the number of files of the set, with the index and the kept files of earlier sets, if it can be known.
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

    /// Returns the number of bytes of files in memory, plain and compressed.
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

    /// Asks whether this instance or another one refreshes the set now. If it is another one, also asks `lacks_set`, which
    /// looks for its set.
    pub(super) fn take_lease(&self, interval: Duration, lacks_set: impl FnOnce() -> bool) -> Lease {
        match self {
            Self::Memory(_) => Lease::Ours(Claim::default()),
            Self::Storage(cache) => match clock::now() {
                Ok(now) => lease::take(&**cache.storage(), interval, now, lacks_set),
                // The refresh reports that there is no clock.
                Err(_) => Lease::Ours(Claim::default()),
            },
        }
    }

    /// Leaves the refresh that has failed to whoever asks next.
    pub(super) fn give_back(&self, claim: Claim) {
        if let Self::Storage(cache) = self {
            // At worst, the other instances wait for an interval.
            lease::give_back(&**cache.storage(), claim)
                .unwrap_or_else(|error| report::storage_failed("remove", REFRESH_NOTE, &error));
        }
    }

    /// Tells the other instances that this one has refreshed the set.
    pub(super) fn note_success(&self) {
        if let Self::Storage(cache) = self {
            // At worst, the other instances refresh the set again.
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

    /// Serves the published set. Returns `false` if a set in memory is dropped, because it is no longer wanted; in a
    /// storage, the set is published already.
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
