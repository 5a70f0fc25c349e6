//! The error type for state files.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// An error while opening, reading or writing a [`State`](super::State).
///
/// ```
/// use sitemap_pages::state::{State, StateError};
///
/// let file = std::env::temp_dir();
/// let error = State::open(&file).unwrap_err();
/// assert!(matches!(error, StateError::NotAState { .. }));
/// assert!(error.to_string().ends_with("is a folder; name the file of a state"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum StateError {
    /// The operating system could not read or write a file.
    Io {
        /// The words after "cannot" in the message, such as `read`.
        action: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// There is no file.
    Missing {
        /// The path of the state file.
        path: PathBuf,
    },
    /// The file isn't a state file. It is not changed.
    NotAState {
        /// The path of the file.
        path: PathBuf,
        /// The words after the path in the message, such as `is a folder`.
        found: &'static str,
    },
    /// The file is empty, for example because `mktemp` created it or a state file was truncated. It is not changed.
    Empty {
        /// The path of the file.
        path: PathBuf,
    },
    /// The folder for a new state file does not exist.
    NoFolder {
        /// The path of the folder.
        folder: PathBuf,
    },
    /// The state file was written by another version, in a different format. It is not changed.
    Format {
        /// The path of the state file.
        path: PathBuf,
        /// The number of the file's format.
        found: u32,
        /// The number of the format that this version supports.
        expected: u32,
    },
    /// The state file is already open, in another process or as another [`State`](super::State) in this one.
    InUse {
        /// The path of the state file.
        path: PathBuf,
        /// The ID of the process that opened it, if known.
        pid: Option<u32>,
    },
    /// The file is damaged. No data from the damaged part is used.
    Damaged {
        /// The path of the state file.
        path: PathBuf,
        /// The damaged part, such as a row.
        place: String,
        /// What is wrong with the damaged part.
        why: String,
    },
    /// The state file belongs to another site.
    OtherBase {
        /// The path of the state file.
        path: PathBuf,
        /// The base URL that the state file belongs to.
        found: String,
        /// The base URL that was passed.
        expected: String,
    },
    /// The run is already finished, or belongs to another state file.
    NoSuchRun {
        /// The path of the state file.
        path: PathBuf,
        /// The number of the run.
        number: u64,
    },
    /// SQLite reported an error, such as a full disk.
    Sql {
        /// The words after "cannot" in the message, such as `read`.
        action: &'static str,
        /// The path of the state file.
        path: PathBuf,
        /// SQLite's message.
        message: String,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { action, path, source } => write!(f, "cannot {action} `{}`: {source}", path.display()),
            Self::Missing { path } => write!(f, "there is no state `{}`; check the path", path.display()),
            Self::NotAState { path, found } => {
                write!(f, "`{}` {found}; name the file of a state", path.display())
            }
            Self::Empty { path } => {
                write!(f, "`{}` is empty, so it is not a state; remove it to start a new one", path.display())
            }
            Self::NoFolder { folder } => {
                let folder = folder.display();
                write!(f, "there is no folder `{folder}` for the state; create it, or check the path")
            }
            Self::Format { path, found, expected } if found > expected => write!(
                f,
                "`{}` has the format {found}, and this version knows up to {expected}; use a newer version",
                path.display()
            ),
            Self::Format { path, found, expected } => write!(
                f,
                "`{}` has the format {found}, and this version needs {expected}; start a new state",
                path.display()
            ),
            Self::InUse { path, pid: Some(pid) } => {
                write!(f, "`{}` is in use by process {pid}; wait until it ends", path.display())
            }
            Self::InUse { path, pid: None } => {
                write!(f, "`{}` is in use by another process; wait until it ends", path.display())
            }
            Self::Damaged { path, place, why } => write!(
                f,
                "`{}` is damaged: {place} {why}; restore the file, or start a new state",
                path.display()
            ),
            Self::OtherBase { path, found, expected } => write!(
                f,
                "`{}` is the state of {found}, not of {expected}; name another file",
                path.display()
            ),
            Self::NoSuchRun { path, number } => {
                write!(f, "run {number} of `{}` is finished or unknown; begin a run", path.display())
            }
            Self::Sql { action, path, message } => {
                write!(f, "cannot {action} `{}`: {message}", path.display())
            }
        }
    }
}

impl Error for StateError {
    /// Skips the inner error, because the outer message already contains its text.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { source, .. } => source.source(),
            _ => None,
        }
    }
}
