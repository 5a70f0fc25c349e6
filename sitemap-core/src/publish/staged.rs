//! A file under its temporary name, from its first byte until it gets its own name or is removed.

use std::io::{self, Write};
use std::sync::Arc;

use super::digest::{Digest, Digester};
use super::name;
use super::storage::{NewFile, Stat, Storage};
use crate::error::Error;

/// A file that is being written.
#[derive(Debug)]
pub(super) struct StagedFile {
    // Closed before it is removed.
    file: Box<dyn NewFile>,
    digester: Digester,
    temporary: Temporary,
}

/// A file that is whole.
#[derive(Debug)]
pub(super) struct SealedFile {
    pub(super) stat: Stat,
    pub(super) digest: Digest,
    temporary: Temporary,
}

/// The name of a file that is removed when this is dropped.
#[derive(Debug)]
struct Temporary {
    storage: Arc<dyn Storage>,
    name: String,
    is_kept: bool,
}

impl StagedFile {
    /// Begins a file that will be called `name`.
    pub(super) fn create(storage: &Arc<dyn Storage>, name: &str) -> Result<Self, Error> {
        loop {
            let temporary = name::unique_temporary(name);
            match storage.create(&temporary) {
                Ok(file) => {
                    let storage = Arc::clone(storage);
                    let temporary = Temporary { storage, name: temporary, is_kept: false };
                    return Ok(Self { file, digester: Digester::new(), temporary });
                }
                // Left over by a process that had the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::io("create", Some(&storage.locate(&temporary)), error)),
            }
        }
    }

    pub(super) fn seal(mut self) -> Result<SealedFile, Error> {
        let stat = self.file.finish().map_err(|error| self.temporary.error("write", error))?;
        Ok(SealedFile { stat, digest: self.digester.finish(), temporary: self.temporary })
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
    /// Writes a file in one go, to outlive a power cut.
    pub(super) fn write(storage: &Arc<dyn Storage>, name: &str, bytes: &[u8]) -> Result<Self, Error> {
        let mut file = StagedFile::create(storage, name)?;
        file.write_all(bytes).map_err(|error| Error::io("write", Some(&storage.locate(name)), error))?;
        let file = file.seal()?;
        file.persist()?;
        Ok(file)
    }

    /// Makes its bytes outlive a power cut.
    pub(super) fn persist(&self) -> Result<(), Error> {
        let Temporary { storage, name, .. } = &self.temporary;
        storage.persist(name).map_err(|error| self.sync_error(error))
    }

    pub(super) fn sync_error(&self, error: io::Error) -> Error {
        self.temporary.error("sync", error)
    }

    /// Its temporary name.
    pub(super) fn name(&self) -> &str {
        &self.temporary.name
    }

    /// Leaves the file where it is.
    pub(super) fn keep(mut self) {
        self.temporary.is_kept = true;
    }

    /// Gives the file its name.
    pub(super) fn rename(self, to: &str) -> Result<(), Error> {
        let Temporary { storage, name, .. } = &self.temporary;
        storage.rename(name, to).map_err(|error| Error::io("replace", Some(&storage.locate(to)), error))?;
        self.keep();
        Ok(())
    }

    /// Gives the file its name, if the file that has it is the one that was seen.
    pub(super) fn switch(self, to: &str, seen: Option<&Stat>) -> Result<bool, Error> {
        let Temporary { storage, name, .. } = &self.temporary;
        let is_switched = storage.switch(name, to, seen);
        let is_switched =
            is_switched.map_err(|error| Error::io("replace", Some(&storage.locate(to)), error))?;
        if is_switched {
            self.keep();
        }
        Ok(is_switched)
    }
}

impl Temporary {
    fn error(&self, action: &'static str, error: io::Error) -> Error {
        Error::io(action, Some(&self.storage.locate(&self.name)), error)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_kept {
            // Nobody is left to tell, and the name shows the next run that it is a leftover.
            let _ = self.storage.remove(&self.name);
        }
    }
}
