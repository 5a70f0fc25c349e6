//! Prevents two runs from replacing the set at the same time.

use std::fmt;

use super::names;
use crate::publish::error::PublishError;
use crate::storage::{LockGuard, Metadata, Storage};

/// The lock of the storage or, on storage without locks, a record of the set's state. Without locks, the commit fails
/// if that state has changed.
pub(crate) struct Exclusion {
    guard: Option<LockGuard>,
    seen: Seen,
    /// The metadata of the published feed. Set only in a run that replaces the feed, on storage without locks.
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
    /// Locks the storage or, if it has no locks, records the state of the set.
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

    /// Returns a copy of this exclusion with the current state of the set, for storage without locks. The state of the
    /// feed stays as this run read it.
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

    /// Returns `true` if no other run has replaced the set since its state was recorded.
    pub(crate) fn is_unchanged(&self, storage: &dyn Storage) -> Result<bool, PublishError> {
        Ok(self.is_locked() || Seen::read(storage)? == self.seen)
    }
}

impl Seen {
    fn read(storage: &dyn Storage) -> Result<Self, PublishError> {
        let metadata = |name| {
            storage.metadata(name).map_err(|error| PublishError::io("read", &storage.locate(name), error))
        };
        // A commit replaces the manifest last, so the manifest is read first. If a commit ends in between, this run
        // gets the old manifest with the new entry point, and every later check fails. With the opposite order, it
        // would get the old entry point with the new manifest, and a run that completes a journal would take that for
        // the current state.
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
