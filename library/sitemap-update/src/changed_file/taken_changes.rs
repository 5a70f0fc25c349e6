//! Changes that a program has taken but not passed on yet.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sitemap_core::publish::feed::FeedChange;

use super::{beside, failed, lines, open_locked, sync_folder};
use crate::error::UpdateError;

/// Changes that were taken out of a [`ChangedFile`](super::ChangedFile), as its example shows. If you drop them without
/// confirming them, the next [`take`](super::ChangedFile::take) returns them again.
///
/// ```
/// use sitemap_update::ChangedFile;
///
/// let folder = tempfile::tempdir()?;
/// let file = ChangedFile::new(folder.path().join("changed.ndjson"));
/// std::fs::write(file.path(), "{\"op\":\"remove\",\"loc\":\"https://example.com/tea\"}\n")?;
/// let taken = file.take()?.ok_or("the file has a line")?;
/// assert_eq!(taken.changes().len(), 1);
/// drop(taken);
/// file.take()?.ok_or("the line was not confirmed")?.confirm()?;
/// assert!(file.take()?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "the changes come again until they are confirmed"]
pub struct TakenChanges {
    changes: Vec<FeedChange>,
    path: PathBuf,
    /// Prevents other processes from confirming these changes.
    _lock: File,
}

impl TakenChanges {
    pub(super) fn take(path: &Path) -> Result<Option<Self>, UpdateError> {
        let lock = open_locked(&beside(path, ".taken.lock"))?;
        let taken = beside(path, ".taken");
        let text = match fs::read_to_string(&taken) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::rename(path, &taken) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                renamed => renamed.map_err(|error| failed("rename", path, error)).and_then(|()| {
                    fs::read_to_string(&taken).map_err(|error| failed("read", &taken, error))
                })?,
            },
            read => read.map_err(|error| failed("read", &taken, error))?,
        };
        let parsed = text.lines().map(|line| {
            let wrong = || io::Error::new(io::ErrorKind::InvalidData, format!("{line:?} is not a change"));
            lines::parse(line).ok_or_else(wrong)
        });
        let changes = parsed.collect::<Result<_, _>>().map_err(|error| failed("read", &taken, error))?;
        sync_folder(&taken);
        Ok(Some(Self { changes, path: taken, _lock: lock }))
    }

    /// Returns the changes, oldest first. A page may occur several times; its last change wins.
    #[must_use]
    pub fn changes(&self) -> &[FeedChange] {
        &self.changes
    }

    /// Removes the changes after you have passed them on.
    ///
    /// # Errors
    ///
    /// [`UpdateError::Publish`] if their file cannot be removed. The next [`take`](super::ChangedFile::take) then
    /// returns them again.
    pub fn confirm(self) -> Result<(), UpdateError> {
        fs::remove_file(&self.path).map_err(|error| failed("remove", &self.path, error))?;
        sync_folder(&self.path);
        Ok(())
    }
}
