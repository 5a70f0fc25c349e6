//! Temporary files, in a folder that is removed at the end, even if a signal ends the run.

use std::cell::{Cell, OnceCell};
use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use crate::error::system_message;
use crate::interrupt;

/// The folder for temporary files, created along with the first file.
#[derive(Debug, Default)]
pub(super) struct Spool {
    folder: OnceCell<Arc<TempDir>>,
    files: Cell<u64>,
}

/// A temporary file, removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Spooled {
    path: PathBuf,
    _folder: Arc<TempDir>,
}

impl Spool {
    /// Returns the path for a new file that doesn't exist yet.
    pub(super) fn file(&self) -> Result<Spooled, String> {
        let folder = if let Some(folder) = self.folder.get() {
            folder
        } else {
            let folder = interrupt::temporary_folder(|| TempDir::with_prefix("sitemap-"));
            let folder = folder.map_err(|error| cannot_write(&error))?;
            self.folder.get_or_init(|| Arc::new(folder))
        };
        self.files.set(self.files.get() + 1);
        Ok(Spooled { path: folder.path().join(self.files.get().to_string()), _folder: Arc::clone(folder) })
    }

    /// Copies bytes to a temporary file, up to a limit.
    pub(super) fn copy(&self, mut from: impl Read, max_bytes: u64) -> Result<Spooled, String> {
        let spooled = self.file()?;
        let mut file = File::create(&spooled.path).map_err(|error| cannot_write(&error))?;
        let mut chunk = vec![0; 64 * 1024];
        let mut taken: u64 = 0;
        loop {
            let len = match from.read(&mut chunk) {
                Ok(0) => break,
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(system_message(&error)),
            };
            taken += len as u64;
            if taken > max_bytes {
                return Err(format!("more than {max_bytes} bytes; allow more with `--max-bytes`"));
            }
            file.write_all(&chunk[..len]).map_err(|error| cannot_write(&error))?;
        }
        Ok(spooled)
    }
}

impl Spooled {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Spooled {
    fn drop(&mut self) {
        // Errors don't matter: the file may not exist, and the whole folder is removed at the end anyway.
        let _ = fs::remove_file(&self.path);
    }
}

pub(super) fn cannot_write(error: &io::Error) -> String {
    format!("cannot write a temporary file: {}", system_message(error))
}
