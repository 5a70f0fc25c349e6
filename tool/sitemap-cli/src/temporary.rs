//! A folder for files that are needed only until the run ends.

use std::path::Path;
use std::sync::Arc;

use sitemap_core::Directory;
use tempfile::TempDir;

use crate::error::{Outcome, Stop, system_message};
use crate::interrupt::{self, Interruptible};

/// A temporary folder. It is removed with its files when the value is dropped.
#[derive(Debug)]
pub(crate) struct Temporary(TempDir);

impl Temporary {
    /// Creates a folder inside `TMPDIR`.
    pub(crate) fn new() -> Outcome<Self> {
        let folder = interrupt::temporary_folder(tempfile::tempdir);
        let folder = folder.map_err(|error| unusable(&system_message(&error)))?;
        Ok(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the storage of the folder. From now on, a signal ends the run in an orderly way.
    pub(crate) fn storage(&self) -> Outcome<Interruptible> {
        // Opening the storage creates the folder if it is missing. A signal mustn't remove the folder just before that.
        let opened = interrupt::undisturbed(|| Directory::open(self.0.path()));
        let directory = opened.map_err(|error| unusable(&error.to_string()))?;
        Ok(Interruptible::new(Arc::new(directory)))
    }
}

fn unusable(message: &str) -> Stop {
    Stop::new(format!("cannot create a temporary folder: {message}; set `TMPDIR` to a folder with space"))
}
