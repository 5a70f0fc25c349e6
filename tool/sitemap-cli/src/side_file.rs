//! Files next to a file of the user, such as its lock.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Outcome, Stop};

/// Returns the path of the file that is next to `path` and has its name with this suffix.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Opens a file to read and append to it, and creates it if it is missing. Waits until no other run has it open. On a file
/// system without locks, it does not wait.
pub(crate) fn open_locked(path: &Path) -> Outcome<File> {
    let failed = |error| Stop::io("lock", path, &error);
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = file.map_err(failed)?;
    match file.lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(failed(error)),
        _ => Ok(file),
    }
}
