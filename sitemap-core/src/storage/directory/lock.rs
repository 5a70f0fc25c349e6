//! Lock files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process;

use super::regular;
use crate::storage::StorageError;

/// A locked file. The lock is released when this is dropped or the process ends.
///
/// The file contains the id of the process, which other processes show in their error message. On Unix, the file is
/// removed when the lock is released.
///
/// ```
/// use sitemap_core::storage::{LockFile, StorageError};
///
/// # let directory = tempfile::tempdir()?;
/// let path = directory.path().join("site.lock");
/// let lock = LockFile::lock(path.clone())?;
/// assert!(matches!(LockFile::lock(path.clone()), Err(StorageError::Locked { .. })));
/// drop(lock);
/// assert!(LockFile::lock(path)?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    file: File,
}

impl LockFile {
    /// Locks the file at a path, and creates it if it is missing. Returns `None` if the file system doesn't support
    /// locks.
    ///
    /// # Errors
    ///
    /// [`StorageError::Locked`] if the file is locked, and [`StorageError::Io`] if it can't be created, is a link, or
    /// is not a regular file.
    pub fn lock(path: PathBuf) -> Result<Option<Self>, StorageError> {
        loop {
            let (file, is_new) = open_or_create(&path)?;
            match file.try_lock() {
                // After this run opened the file, the run that held the lock removed it. Try again.
                Ok(()) if !is_at(&file, &path) => {}
                // The file was left by a killed run. But another program may have created it, and a run must not write
                // to a file that it didn't create.
                Ok(()) if !is_new && cfg!(unix) => {
                    fs::remove_file(&path).map_err(|error| StorageError::io("remove", &path, error))?;
                }
                Ok(()) => {
                    write_process_id(&file);
                    return Ok(Some(Self { path, file }));
                }
                Err(TryLockError::WouldBlock) => {
                    let pid = read_process_id(&file);
                    return Err(StorageError::Locked { path, pid });
                }
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    if is_new {
                        let _ = fs::remove_file(&path);
                    }
                    return Ok(None);
                }
                Err(TryLockError::Error(error)) => return Err(StorageError::io("lock", &path, error)),
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // Another run may have opened the file before this run removes it. That run's `lock` must then detect that the
        // file is gone. Only Unix allows this check, so other systems keep the file. If someone removed the file by
        // hand, the file now at the path belongs to another run.
        if cfg!(unix) && is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Returns the file, and `true` if this call created it.
fn open_or_create(path: &Path) -> Result<(File, bool), StorageError> {
    loop {
        // `create_new` never opens an existing file, even if the path is a link whose target doesn't exist.
        match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
            Ok(file) => return Ok((file, true)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StorageError::io("create", path, error)),
        }
        match regular::open(path, OpenOptions::new().read(true).write(true)) {
            // The run that held the lock has just removed the file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Ok(file) => return Ok((file, false)),
            Err(error) => return Err(StorageError::io("open", path, error)),
        }
    }
}

/// Writes the process id, for the error message of other runs. The lock also works without it, so errors are ignored.
fn write_process_id(mut file: &File) {
    let _ = file.set_len(0).and_then(|()| write!(file, "{}", process::id()));
}

fn read_process_id(file: &File) -> Option<u32> {
    /// The maximum number of digits in a process id.
    const DIGITS: u64 = 10;
    let mut id = String::new();
    file.take(DIGITS).read_to_string(&mut id).ok()?;
    id.parse().ok()
}

/// Returns `true` if the path still refers to the open file. Doesn't follow a symbolic link.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(opened), Ok(there)) => identity(opened) == identity(there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
