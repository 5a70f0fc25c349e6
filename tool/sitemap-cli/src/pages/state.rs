//! The state file, which stores the results of page requests.

use std::path::Path;

use sitemap_pages::state::{State, StateError};
use tempfile::TempDir;

use crate::error::{Outcome, Stop, system_message};

/// An open state.
#[derive(Debug)]
pub(super) struct OpenState {
    pub(super) state: State,
    /// The temporary folder of a state file, removed at the end.
    _folder: Option<TempDir>,
}

impl OpenState {
    /// Opens a state file, or creates it if missing. Without a path, the file is created in a temporary folder.
    pub(super) fn create_or_open(path: Option<&Path>) -> Outcome<Self> {
        let Some(path) = path else {
            let failed =
                |error| Stop::new(format!("cannot create a temporary state: {}", system_message(&error)));
            let folder = tempfile::tempdir().map_err(failed)?;
            let state = State::create_or_open(folder.path().join("state")).map_err(stop)?;
            return Ok(Self { state, _folder: Some(folder) });
        };
        Ok(Self { state: State::create_or_open(path).map_err(stop)?, _folder: None })
    }

    /// Opens an existing state file.
    pub(super) fn open(path: &Path) -> Outcome<Self> {
        Ok(Self { state: State::open(path).map_err(stop)?, _folder: None })
    }
}

impl From<StateError> for Stop {
    fn from(error: StateError) -> Self {
        stop(error)
    }
}

/// Converts an error of the state file to a message for stderr.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(super) fn stop(error: StateError) -> Stop {
    Stop::new(error.to_string())
}
