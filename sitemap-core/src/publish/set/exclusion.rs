//! Keeps two runs from replacing the set at the same time.

use std::fmt;

use super::names;
use crate::publish::error::PublishError;
use crate::storage::{LockGuard, Metadata, Storage};

/// The lock of the storage or, on a storage without locks, the recorded state of the set. In the second case, the
/// commit fails if the state has changed.
pub(crate) struct Exclusion {
    guard: Option<LockGuard>,
    seen: Seen,
    /// The metadata of the published feed, on a storage without locks, for a run that replaces it.
    feed: Option<Metadata>,
}

/// The metadata of the entry point and the manifest. Every commit that changes the set replaces at least one of these
/// two files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) entry_point: Option<Metadata>,
    pub(crate) manifest: Option<Metadata>,
}

impl Exclusion {
    /// Locks the storage or, if the storage has no locks, records the state of the set.
    pub(crate) fn start(storage: &dyn Storage) -> Result<Self, PublishError> {
        let mut exclusion = Self { guard: storage.lock()?, seen: Seen::default(), feed: None };
        exclusion.record_state(storage)?;
        Ok(exclusion)
    }

    /// Records the state of the set if the storage has no locks. Must be called again after this run itself has changed
    /// the set.
    pub(crate) fn record_state(&mut self, storage: &dyn Storage) -> Result<(), PublishError> {
        if !self.is_locked() {
            self.seen = Seen::read(storage)?;
        }
        Ok(())
    }

    /// Returns the exclusion of the same run on a storage without locks, with the state of the set of now. The feed stays
    /// the one that the run has read.
    pub(crate) fn with_new_state(&self, storage: &dyn Storage) -> Result<Self, PublishError> {
        Ok(Self { guard: None, seen: Seen::read(storage)?, feed: self.feed.clone() })
    }

    /// Records the state of the feed if the storage has no locks. A run that replaces the feed must call this before it
    /// reads the feed.
    pub(crate) fn record_feed(&mut self, storage: &dyn Storage) -> Result<(), PublishError> {
        if !self.is_locked() {
            let found = storage.metadata(names::FEED);
            self.feed =
                found.map_err(|error| PublishError::io("read", &storage.locate(names::FEED), error))?;
        }
        Ok(())
    }

    pub(crate) fn feed(&self) -> Option<&Metadata> {
        self.feed.as_ref()
    }

    pub(crate) fn is_locked(&self) -> bool {
        self.guard.is_some()
    }

    pub(crate) fn seen(&self) -> &Seen {
        &self.seen
    }

    /// Returns `true` if no other run has replaced the set since the state of the set was recorded.
    pub(crate) fn is_unchanged(&self, storage: &dyn Storage) -> Result<bool, PublishError> {
        Ok(self.is_locked() || Seen::read(storage)? == self.seen)
    }
}

impl Seen {
    fn read(storage: &dyn Storage) -> Result<Self, PublishError> {
        let metadata = |name| {
            storage.metadata(name).map_err(|error| PublishError::io("read", &storage.locate(name), error))
        };
        // A commit replaces the manifest last. So an old manifest may be seen with a new entry point, which every later
        // check finds, but never the reverse, which a run that completes a journal would take for the current state.
        let manifest = metadata(names::MANIFEST)?;
        Ok(Self { entry_point: metadata(names::ENTRY_POINT)?, manifest })
    }
}

impl fmt::Debug for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exclusion")
            .field("is_locked", &self.is_locked())
            .field("seen", &self.seen)
            .field("feed", &self.feed)
            .finish_non_exhaustive()
    }
}
