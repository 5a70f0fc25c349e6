//! The one place that knows where a set's files live: a directory.
//!
//! Files are written under temporary names and renamed once they are whole and on disk.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use crate::error::Error;

#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
}

/// A file under its temporary name; removed when it is dropped before its time.
#[derive(Debug)]
pub(crate) struct NewFile {
    file: File,
    temporary: PathBuf,
    renamed: bool,
}

/// What became of a file that was put in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// Whether its bytes differ from those that were there.
    pub(crate) changed: bool,
    /// When the bytes that are there now were written.
    pub(crate) modified: SystemTime,
    pub(crate) len: u64,
}

impl Directory {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        fs::create_dir_all(path).map_err(|error| Error::io("create the directory", Some(path), error))?;
        Ok(Self { path: path.to_path_buf() })
    }

    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A new file that will be called `name`.
    pub(crate) fn create(&self, name: &str) -> Result<NewFile, Error> {
        /// Keeps publishers of one process apart.
        static NUMBER: AtomicU64 = AtomicU64::new(0);

        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = self.path.join(format!(".{name}.{}-{number}.tmp", process::id()));
        // `create_new`, so that a link planted under that name is not followed.
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&temporary)
            .map_err(|error| Error::io("create", Some(&temporary), error))?;
        Ok(NewFile { file, temporary, renamed: false })
    }

    /// Gives a finished file its name, in place of what had that name; a file with the same bytes is
    /// left untouched, so that its date goes on to say when it changed.
    pub(crate) fn place(&self, mut new: NewFile, name: &str) -> Result<Placed, Error> {
        let path = self.path_of(name);
        let metadata = new.metadata()?;
        let mut placed = Placed {
            changed: true,
            modified: metadata.modified().unwrap_or_else(|_| SystemTime::now()),
            len: metadata.len(),
        };
        if let Some(modified) = new.same_as(&path) {
            placed.changed = false;
            placed.modified = modified;
            return Ok(placed);
        }
        fs::rename(&new.temporary, &path).map_err(|error| Error::io("replace", Some(&path), error))?;
        new.renamed = true;
        Ok(placed)
    }

    /// Makes the renames so far outlive a power cut.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        // Only Unix can open a directory to sync it; elsewhere the file system does so by itself.
        if cfg!(unix) {
            File::open(&self.path)
                .and_then(|directory| directory.sync_all())
                .map_err(|error| Error::io("sync the directory", Some(&self.path), error))?;
        }
        Ok(())
    }
}

impl NewFile {
    /// Puts the bytes on disk.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        self.file.sync_all().map_err(|error| self.error("sync", error))
    }

    /// The same file, to be read from its beginning.
    pub(crate) fn reopen(&self) -> Result<File, Error> {
        File::open(&self.temporary).map_err(|error| self.error("read", error))
    }

    fn metadata(&self) -> Result<fs::Metadata, Error> {
        self.file.metadata().map_err(|error| self.error("read", error))
    }

    /// The date of the file at `path`, if it has the same bytes.
    fn same_as(&self, path: &Path) -> Option<SystemTime> {
        let old = File::open(path).ok()?;
        let (old_metadata, new_metadata) = (old.metadata().ok()?, self.metadata().ok()?);
        if !old_metadata.is_file() || old_metadata.len() != new_metadata.len() {
            return None;
        }
        let new = self.reopen().ok()?;
        // An old file that cannot be read is replaced.
        same_bytes(old, new).ok()?.then(|| old_metadata.modified().ok())?
    }

    fn error(&self, action: &'static str, error: io::Error) -> Error {
        Error::io(action, Some(&self.temporary), error)
    }
}

/// Compares two files of the same length.
fn same_bytes(mut a: File, mut b: File) -> io::Result<bool> {
    const PIECE: usize = 64 * 1024;
    let (mut piece_of_a, mut piece_of_b) = (vec![0; PIECE], vec![0; PIECE]);
    loop {
        let len = a.read(&mut piece_of_a)?;
        if len == 0 {
            return Ok(true);
        }
        b.read_exact(&mut piece_of_b[..len])?;
        if piece_of_a[..len] != piece_of_b[..len] {
            return Ok(false);
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.renamed {
            // Nobody is left to tell, and the name shows that the file is a leftover.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
