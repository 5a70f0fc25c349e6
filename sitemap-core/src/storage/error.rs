//! The error from opening or locking storage.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An error from opening or locking a [`Storage`](super::Storage).
///
/// ```
/// use sitemap_core::storage::{Directory, StorageError};
///
/// let file = tempfile::NamedTempFile::new()?;
/// let error = Directory::open(file.path()).unwrap_err();
/// assert!(matches!(error, StorageError::Io { action: "create the directory", .. }));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum StorageError {
    /// An operation on a file failed.
    Io {
        /// The words after "cannot" in the message, such as `read`.
        action: &'static str,
        /// The path or URL of the file or directory.
        path: PathBuf,
        /// The error from the operating system or the object store.
        source: io::Error,
    },
    /// Another run holds the lock.
    Locked {
        /// The path of the lock.
        path: PathBuf,
        /// The id of the process that holds the lock, if known.
        pid: Option<u32>,
    },
}

impl StorageError {
    /// Creates the error for a failed file operation. `action` is what follows "cannot" in the message, such as `read`.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_path_buf(), source }
    }
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { action, path, source } => write!(f, "cannot {action} `{}`: {source}", path.display()),
            Self::Locked { path, pid: Some(pid) } => {
                write!(f, "`{}` is locked by process {pid}; wait until its run ends", path.display())
            }
            Self::Locked { path, pid: None } => {
                write!(f, "`{}` is locked by another run; wait until it ends", path.display())
            }
        }
    }
}

impl StdError for StorageError {
    /// Skips the inner error, because its message is already part of the outer one, and returns the inner error's
    /// source.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Io { source, .. } => source.source(),
            Self::Locked { .. } => None,
        }
    }
}
