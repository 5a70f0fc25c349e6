//! The lock file next to a state.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process;

use super::error::StateError;

/// A lock file that this process has locked. Dropping this value releases the lock.
#[derive(Debug)]
pub(super) struct LockFile {
    path: PathBuf,
    file: File,
}

impl LockFile {
    /// Locks a state. Returns `None` if the file system has no locks, so that only SQLite's own lock holds.
    pub(super) fn lock(state: &Path) -> Result<Option<Self>, StateError> {
        let path = beside(state, ".sitemap-lock");
        let io = |action| {
            let path = path.clone();
            move |source| StateError::Io { action, path, source }
        };
        loop {
            let mut options = OpenOptions::new();
            let file = options
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(io("create"))?;
            match file.try_lock() {
                // The process that held the lock removed the file after this process had opened it.
                Ok(()) if !is_at(&file, &path) => {}
                Ok(()) => {
                    write_process_id(&file);
                    return Ok(Some(Self { path, file }));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(StateError::InUse { path: state.to_owned(), pid: read_process_id(&file) });
                }
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(None);
                }
                Err(TryLockError::Error(error)) => return Err(io("lock")(error)),
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // Another process may have opened the file before this process removes it. Its `lock` must then detect that the
        // file is gone. Only Unix allows this check, so other systems keep the file.
        if cfg!(unix) && is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Returns the path of a file next to the state.
pub(super) fn beside(state: &Path, ending: &str) -> PathBuf {
    let mut name = state.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Writes the process id, which other processes show in their message. The lock also works without it.
fn write_process_id(mut file: &File) {
    let _ = file.set_len(0).and_then(|()| write!(file, "{}", process::id()));
}

fn read_process_id(file: &File) -> Option<u32> {
    /// The greatest number of digits in a process id.
    const DIGITS: u64 = 10;
    let mut id = String::new();
    file.take(DIGITS).read_to_string(&mut id).ok()?;
    id.parse().ok()
}

/// Returns `true` if the path leads to the open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), path.metadata()) {
        (Ok(opened), Ok(there)) => identity(opened) == identity(there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
