//! The open state.

use std::cell::RefCell;
use std::path::Path;

use super::db::Db;
use super::error::StateError;
use super::file;
use super::shapes::SeenShapes;
use super::table::TableId;

/// What earlier runs found out about one site's pages, stored in one file.
///
/// Only one process at a time can open a state file. Writes are batched. [`flush`](Self::flush),
/// [`finish_run`](Self::finish_run) and dropping the [`State`] write the current batch to the file. If the process is
/// killed, it loses at most the last thousand visits, and the file stays intact.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use sitemap_pages::state::{RunKind, State};
/// use sitemap_pages::visit::{Outcome, Visit};
///
/// let state = State::in_memory()?;
/// let now = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
/// let run = state.begin_run(RunKind::Check, now)?;
/// let url = "https://example.com/oak";
/// state.store(&run, &Visit::new(url.to_owned(), now, Outcome::NotModified(Box::default())))?;
/// state.finish_run(&run)?;
///
/// let page = state.page(url)?.unwrap();
/// assert_eq!((page.run, page.first_seen), (1, now));
/// assert_eq!(state.pages().count(), 1);
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
pub struct State {
    pub(super) db: Db,
    /// The shapes of the open run's pages, as far as this handle has stored them.
    pub(super) shapes: RefCell<SeenShapes>,
}

impl State {
    /// Opens a state.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Missing`] if there is no file. Returns another [`StateError`] if the file is not a state
    /// file, is damaged, or is in use. In these cases, the file is not changed.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StateError> {
        file::open(path.as_ref(), false).map(Self::new)
    }

    /// Opens a state file, or creates it if there is none.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file can't be created, or if it exists but is not a state file, is damaged, or
    /// is in use. An existing file is then not changed.
    pub fn create_or_open(path: impl AsRef<Path>) -> Result<Self, StateError> {
        file::open(path.as_ref(), true).map(Self::new)
    }

    /// Creates a state in memory instead of a file, for tests.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if SQLite reports an error.
    pub fn in_memory() -> Result<Self, StateError> {
        file::in_memory().map(Self::new)
    }

    fn new(db: Db) -> Self {
        Self { db, shapes: RefCell::default() }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.db.path()
    }

    /// Returns the site's base URL, once [`bind`](Self::bind) has set it.
    pub fn base(&self) -> Option<String> {
        self.db.head(|head| head.base.clone())
    }

    /// Sets the site's base URL, or checks that it is the same as before.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::OtherBase`] if the state file belongs to another site.
    pub fn bind(&self, base: &str) -> Result<(), StateError> {
        match self.base() {
            Some(found) if found == base => Ok(()),
            Some(found) => {
                let (path, expected) = (self.path().to_owned(), base.to_owned());
                Err(StateError::OtherBase { path, found, expected })
            }
            None => self.db.write(|| {
                self.db.change_head(|head| head.base = Some(base.to_owned()));
                Ok(())
            }),
        }
    }

    /// Reads the whole file and checks all rows.
    ///
    /// A damaged row is reported when it is read, even without this check. But if a lookup finds no page, the page's
    /// row may be missing because of damage. Such damage is reported here, and when all pages are read.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Damaged`], which names the first damaged row, or the table that lacks a row.
    pub fn verify(&self) -> Result<(), StateError> {
        self.db.commit()?;
        TableId::ALL.iter().try_for_each(|&table| self.db.verify(table))
    }

    /// Writes everything stored so far to the file.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file can't be written. Everything stored since the last batch is then lost.
    pub fn flush(&self) -> Result<(), StateError> {
        self.db.commit()
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("path", &self.path()).finish_non_exhaustive()
    }
}
