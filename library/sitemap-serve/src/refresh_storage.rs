//! Storage that keeps a refresh's locks until nothing uses it any more.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use async_lock::MutexGuardArc;

use super::lease_guard::LeaseGuard;
use sitemap_core::Storage;
use sitemap_core::storage::{FileBytes, LockGuard, Metadata, NewFile, StorageError};

/// The resources released at the end of a refresh: the lock that keeps out other refreshes, and the schedule's lease.
#[derive(Debug)]
pub(super) struct Hold {
    pub(super) _only: MutexGuardArc<()>,
    pub(super) _lease: Option<Arc<LeaseGuard>>,
}

/// A refresh's storage. If the future of the refresh is dropped during the commit, a worker thread completes the commit
/// and owns this storage until then.
#[derive(Debug)]
pub(super) struct RefreshStorage {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) hold: Arc<Hold>,
}

/// The set's lock. The order of the fields is the order in which they are dropped.
struct UnlockedFirst {
    _lock: LockGuard,
    _hold: Arc<Hold>,
}

impl Storage for RefreshStorage {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        // Unlock the set before releasing the hold. Otherwise the next refresh could find the set still locked.
        let lock = self.storage.lock()?;
        Ok(lock.map(|lock| -> LockGuard {
            Box::new(UnlockedFirst { _lock: lock, _hold: Arc::clone(&self.hold) })
        }))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        self.storage.create(name)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.storage.rename(from, to)
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        self.storage.rename_if(from, to, seen)
    }

    fn check_replaceable(&self, name: &str) -> io::Result<()> {
        self.storage.check_replaceable(name)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.storage.remove(name)
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        self.storage.metadata(name)
    }

    fn find_listed(&self, names: &[&str]) -> Vec<Option<Metadata>> {
        self.storage.find_listed(names)
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        self.storage.open(name)
    }

    fn bytes(&self, name: &str) -> Option<FileBytes> {
        self.storage.bytes(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.storage.list()
    }

    fn list_temporary(&self) -> io::Result<Vec<String>> {
        self.storage.list_temporary()
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.storage.put(name, bytes)
    }

    fn sync_file(&self, name: &str) -> io::Result<()> {
        self.storage.sync_file(name)
    }

    fn sync_names(&self) -> io::Result<()> {
        self.storage.sync_names()
    }

    fn retries(&self) -> u64 {
        self.storage.retries()
    }

    fn locate(&self, name: &str) -> PathBuf {
        self.storage.locate(name)
    }
}
