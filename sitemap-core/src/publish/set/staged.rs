//! A file under its temporary name, until it gets its final name or is removed.

use std::io::{self, Write};
use std::sync::Arc;

use super::digest::{Digest, Digester};
use crate::publish::error::PublishError;
use crate::storage::{Metadata, NewFile, Storage, temporary_name};
use crate::threads::{Pool, Task};

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct StagedFile {
    // Must be declared before `temporary`: fields are dropped in order, and the file must be closed before it is
    // removed.
    file: Box<dyn NewFile>,
    digester: Digester,
    temporary: Temporary,
}

/// A file that is complete and still has its temporary name.
#[derive(Debug)]
pub(crate) struct SealedFile {
    pub(crate) metadata: Metadata,
    pub(crate) digest: Digest,
    temporary: Temporary,
    sync: Option<Task<io::Result<()>>>,
}

/// The temporary name of a file. When dropped, removes the file, unless `is_kept` is `true`.
#[derive(Debug)]
struct Temporary {
    storage: Arc<dyn Storage>,
    name: String,
    is_kept: bool,
}

impl StagedFile {
    /// Creates a file under a temporary name. Its final name will be `name`.
    pub(crate) fn create(storage: &Arc<dyn Storage>, name: &str) -> Result<Self, PublishError> {
        let name = temporary_name(name);
        match storage.create(&name) {
            Ok(file) => {
                let temporary = Temporary { storage: Arc::clone(storage), name, is_kept: false };
                Ok(Self { file, digester: Digester::new(), temporary })
            }
            Err(error) => Err(PublishError::io("create", &storage.locate(&name), error)),
        }
    }

    pub(crate) fn seal(mut self) -> Result<SealedFile, PublishError> {
        let metadata = self.file.finish().map_err(|error| self.temporary.error("write", error))?;
        let digest = self.digester.finish();
        Ok(SealedFile { metadata, digest, temporary: self.temporary, sync: None })
    }
}

impl Write for StagedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.file.write(bytes)?;
        self.digester.update(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl SealedFile {
    /// Writes a whole file and syncs it, so that it survives a power failure.
    pub(crate) fn write(storage: &Arc<dyn Storage>, name: &str, bytes: &[u8]) -> Result<Self, PublishError> {
        let mut file = StagedFile::create(storage, name)?;
        file.write_all(bytes).map_err(|error| PublishError::io("write", &storage.locate(name), error))?;
        let file = file.seal()?;
        let synced = storage.sync_file(file.name());
        synced.map_err(|error| file.temporary.error("sync", error))?;
        Ok(file)
    }

    /// Starts syncing the file, unless that has already started.
    pub(crate) fn start_sync(&mut self, threads: &Pool) {
        let Temporary { storage, name, .. } = &self.temporary;
        let (storage, name) = (Arc::clone(storage), name.clone());
        self.sync.get_or_insert_with(|| threads.run(move || storage.sync_file(&name)));
    }

    /// Waits until the file is synced, so that its bytes survive a power failure.
    pub(crate) fn finish_sync(&mut self) -> Result<(), PublishError> {
        let synced = match self.sync.take() {
            Some(task) => task.wait().ok_or_else(PublishError::aborted)?,
            None => self.temporary.storage.sync_file(self.name()),
        };
        synced.map_err(|error| self.temporary.error("sync", error))
    }

    /// Returns the temporary name.
    pub(crate) fn name(&self) -> &str {
        &self.temporary.name
    }

    /// Drops this value without removing the file from the storage.
    pub(crate) fn keep(mut self) {
        self.temporary.is_kept = true;
    }

    /// Gives the file its final name.
    pub(crate) fn rename(self, to: &str) -> Result<(), PublishError> {
        let Temporary { storage, name, .. } = &self.temporary;
        storage.rename(name, to).map_err(|error| PublishError::io("replace", &storage.locate(to), error))?;
        self.keep();
        Ok(())
    }

    /// Renames this file to `to`, but only if the existing file of that name still has the metadata `seen`, or doesn't
    /// exist if `seen` is `None`. Returns `true` if this file was renamed.
    pub(crate) fn rename_if(self, to: &str, seen: Option<&Metadata>) -> Result<bool, PublishError> {
        let Temporary { storage, name, .. } = &self.temporary;
        let is_renamed = storage
            .rename_if(name, to, seen)
            .map_err(|error| PublishError::io("replace", &storage.locate(to), error))?;
        if is_renamed {
            self.keep();
        }
        Ok(is_renamed)
    }
}

impl Temporary {
    fn error(&self, action: &'static str, error: io::Error) -> PublishError {
        PublishError::io(action, &self.storage.locate(&self.name), error)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_kept {
            // If this fails, the next run removes the file, because its name is temporary.
            let _ = self.storage.remove(&self.name);
        }
    }
}
