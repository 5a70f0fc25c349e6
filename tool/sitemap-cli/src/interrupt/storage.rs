//! A storage that fails after a signal until the commit starts.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use sitemap_core::Storage;
use sitemap_core::publish::files::JOURNAL;
use sitemap_core::storage::{FileBytes, LockGuard, Metadata, NewFile, StorageError};

use super::{Stage, check, state};
use crate::caller;

/// A storage that fails after a signal. Only removals still succeed, so that the run can clean up.
///
/// Once a run renames a file to the journal, it has started to replace the set, so no operation fails after that.
#[derive(Debug)]
pub(crate) struct Interruptible(Arc<dyn Storage>);

impl Interruptible {
    pub(crate) fn new(storage: Arc<dyn Storage>) -> Self {
        if !caller::is_present() {
            state().stage = Stage::Writing;
        }
        Self(storage)
    }

    fn checked(&self) -> io::Result<&dyn Storage> {
        check()?;
        Ok(&*self.0)
    }

    /// Starts the commit if a file is renamed to the journal, unless a signal arrived first.
    fn before_rename(to: &str) -> io::Result<()> {
        if caller::is_present() {
            check()?;
            if to == JOURNAL {
                caller::commit();
            }
            return Ok(());
        }
        let mut state = state();
        state.check()?;
        if to == JOURNAL {
            state.stage = Stage::Committing;
        }
        Ok(())
    }
}

impl Storage for Interruptible {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        self.0.lock()
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        Ok(Box::new(InterruptibleFile(self.checked()?.create(name)?)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Self::before_rename(to)?;
        self.0.rename(from, to)
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        Self::before_rename(to)?;
        self.0.rename_if(from, to, seen)
    }

    fn check_replaceable(&self, name: &str) -> io::Result<()> {
        self.checked()?.check_replaceable(name)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.0.remove(name)
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        self.checked()?.metadata(name)
    }

    /// After a signal, no file is found. So the caller opens each file itself, and gets the error.
    fn find_listed(&self, names: &[&str]) -> Vec<Option<Metadata>> {
        self.checked().map_or_else(|_| vec![None; names.len()], |storage| storage.find_listed(names))
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        self.checked()?.open(name)
    }

    fn bytes(&self, name: &str) -> Option<FileBytes> {
        self.0.bytes(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.checked()?.list()
    }

    fn list_temporary(&self) -> io::Result<Vec<String>> {
        self.checked()?.list_temporary()
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.checked()?.put(name, bytes)
    }

    fn sync_file(&self, name: &str) -> io::Result<()> {
        self.checked()?.sync_file(name)
    }

    fn sync_names(&self) -> io::Result<()> {
        self.checked()?.sync_names()
    }

    fn retries(&self) -> u64 {
        self.0.retries()
    }

    fn locate(&self, name: &str) -> PathBuf {
        self.0.locate(name)
    }
}

struct InterruptibleFile(Box<dyn NewFile>);

impl Write for InterruptibleFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl NewFile for InterruptibleFile {
    fn finish(&mut self) -> io::Result<Metadata> {
        check()?;
        self.0.finish()
    }
}

impl fmt::Debug for InterruptibleFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InterruptibleFile").finish_non_exhaustive()
    }
}
