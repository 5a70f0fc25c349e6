//! The file of changed pages.

mod lines;
mod list;
mod taken_changes;

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use sitemap_core::Storage;
use sitemap_core::publish::{PublishError, PublishErrorKind};

pub(crate) use self::list::List;
pub use self::taken_changes::TakenChanges;
use crate::error::UpdateError;

/// A file that lists the pages that updates have changed. Other programs read it to pass the changes on, for example to
/// search engines. Each change is listed at least once, even if a process is killed at any moment.
///
/// Each line looks like `{"op":"upsert","loc":"https://example.com/tea","lastmod":"2026-01-31"}`, or has
/// `"op":"remove"`. An [`Update`](crate::Update) or a [`Mirror`](crate::Mirror) adds the changes that had an effect.
/// [`take`](Self::take) returns them and starts a new file. It returns the same changes again until you
/// [confirm](TakenChanges::confirm) them.
///
/// Before each commit, all changes are written to a second file with the suffix `.pending`. If the process is killed
/// after the commit, but before it has added the changes, the next update adds them. In that case, the file may also
/// list changes that had no effect.
///
/// The file must be on a disk that outlives the process. Processes that use the same file wait for each other.
///
/// ```
/// use sitemap_core::publish::feed::FeedChange;
/// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
/// use sitemap_update::{Build, Change, ChangedFile, UpdateSet as _};
///
/// let folder = tempfile::tempdir()?;
/// let page = |path: &str| Loc::parse(format!("https://example.com{path}"));
/// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
/// let mut build = Build::new(builder.clone(), 4, Memory::new());
/// build.add("posts", Entry::new(page("/tea")?))?;
/// build.add("posts", Entry::new(page("/cups")?))?;
/// build.run(storage.clone())?;
///
/// let file = ChangedFile::new(folder.path().join("changed.ndjson"));
/// let mut update = builder.storage(storage.clone()).update().changed_file(file.clone());
/// update.add(Change::Remove(page("/cups")?))?;
/// update.add(Change::Remove(page("/pots")?))?; // Has no effect.
/// update.commit()?;
///
/// let taken = file.take()?.ok_or("a page has changed")?;
/// assert_eq!(taken.changes(), [FeedChange::Remove(page("/cups")?)]);
/// // After they are passed on:
/// taken.confirm()?;
/// assert!(file.take()?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    path: PathBuf,
}

impl ChangedFile {
    /// Creates a handle for the file at `path`. The file itself is created with the first change.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Returns the path of the file.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use sitemap_update::ChangedFile;
    ///
    /// assert_eq!(ChangedFile::new("changed.ndjson").path(), Path::new("changed.ndjson"));
    /// ```
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the changes that an interrupted update published, and returns their number. Every update does this first,
    /// so you only need it to get the number, or if the next update may be far off.
    ///
    /// ```
    /// use sitemap_core::Memory;
    /// use sitemap_update::ChangedFile;
    ///
    /// let folder = tempfile::tempdir()?;
    /// assert_eq!(ChangedFile::new(folder.path().join("changed.ndjson")).recover(&Memory::new())?, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UpdateError::Publish`] if a file cannot be read or written.
    pub fn recover(&self, storage: &dyn Storage) -> Result<u64, UpdateError> {
        List::open(&self.path)?.recover(storage)
    }

    /// Takes all changes out of the file, or returns the changes that were taken earlier but never confirmed. Returns
    /// `None` if there are no changes. Waits while another process holds changes of this file.
    ///
    /// # Errors
    ///
    /// [`UpdateError::Publish`] if a file cannot be read or written, or contains a line that no update wrote.
    pub fn take(&self) -> Result<Option<TakenChanges>, UpdateError> {
        TakenChanges::take(&self.path)
    }
}

/// Returns `path` with a suffix appended to the file name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Opens a file for reading and writing, and creates it if it is missing. Waits until nobody else has it open, except
/// on a file system without locks.
fn open_locked(path: &Path) -> Result<File, UpdateError> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let file = file.map_err(|error| failed("lock", path, error))?;
    match file.lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(failed("lock", path, error)),
        _ => Ok(file),
    }
}

/// Syncs the folder of a file, so that the file's name survives a power cut. Not all platforms can do this.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        // Some file systems refuse to sync a folder.
        let _ = folder.sync_all();
    }
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> UpdateError {
    PublishError::from(PublishErrorKind::Io { action, path: path.to_owned(), source }).into()
}
