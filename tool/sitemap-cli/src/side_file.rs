//! Files next to a user's file, such as its lock file.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Outcome, Stop};

/// Returns `path` with this suffix added to the file name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Opens a file for reading and appending, and creates it if missing. Waits until no other run has the file open. If
/// the file system has no locks, doesn't wait.
pub(crate) fn open_locked(path: &Path) -> Outcome<File> {
    let failed = |error| Stop::io("lock", path, &error);
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = file.map_err(failed)?;
    match file.lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(failed(error)),
        _ => Ok(file),
    }
}
