//! The entries of the most recently read sitemaps.

use std::vec;

use serde::{Deserialize, Serialize};

use super::db::{AT_ONCE, Db, KeyAndRow};
use super::error::StateError;
use super::head::Total;
use super::open_state::State;
use super::table::{Table, TableId};

pub(super) const LISTING: Table<ListedPage> = Table::new(TableId::Listing);
pub(super) const FILES: Table<String> = Table::new(TableId::ListingFiles);

/// A sitemap entry and its place.
///
/// ```
/// use sitemap_pages::state::{ListedPage, State};
///
/// let mut state = State::in_memory()?;
/// let mut listing = state.new_listing()?;
/// let file = listing.file("https://example.com/sitemap.xml")?;
/// let mut page = ListedPage::new(file, "https://example.com/oak");
/// page.line = 3;
/// listing.page(&page)?;
/// listing.finish()?;
///
/// let listed = state.listing().next().unwrap()?;
/// assert_eq!((listed.loc.as_str(), listed.line), ("https://example.com/oak", 3));
/// assert_eq!(state.listing_files()?, ["https://example.com/sitemap.xml"]);
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ListedPage {
    /// The number of the file, as returned by [`NewListing::file`].
    pub file: u64,
    /// The position in the file. An entry replaces an earlier one with the same file and position.
    pub position: u64,
    /// The entry's line, counted from 1.
    pub line: u64,
    /// The entry's column, counted from 1.
    pub column: u64,
    /// The entry's length in bytes.
    pub len: u64,
    /// The URL.
    pub loc: String,
    /// The `lastmod` as written.
    pub lastmod: Option<String>,
    /// The translations that the entry names.
    pub alternates: Vec<ListedAlternate>,
}

impl ListedPage {
    /// Creates an entry with only a URL, at the start of its file.
    pub fn new(file: u64, loc: impl Into<String>) -> Self {
        Self { file, loc: loc.into(), ..Self::default() }
    }
}

/// A translation that a sitemap entry names.
///
/// ```
/// use sitemap_pages::state::ListedAlternate;
///
/// let german = ListedAlternate::new("de".to_owned(), "https://example.com/de/eiche".to_owned());
/// assert_eq!(german.language, "de");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ListedAlternate {
    /// The value of `hreflang`.
    pub language: String,
    /// The URL of the translation.
    pub url: String,
}

impl ListedAlternate {
    /// Creates a translation.
    pub fn new(language: String, url: String) -> Self {
        Self { language, url }
    }
}

/// A [`ListedPage`] in stored form.
#[derive(Deserialize)]
pub(crate) struct ListedRow<'r> {
    pub(crate) file: u64,
    pub(crate) position: u64,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) len: u64,
    pub(crate) loc: &'r str,
    pub(crate) lastmod: Option<&'r str>,
    #[serde(borrow)]
    pub(crate) alternates: Vec<AlternateRow<'r>>,
}

/// A [`ListedAlternate`] in stored form.
#[derive(Deserialize)]
pub(crate) struct AlternateRow<'r> {
    pub(crate) language: &'r str,
    pub(crate) url: &'r str,
}

/// A new listing that is being written. [`finish`](Self::finish) makes it replace the old listing. Without that call,
/// the old listing stays.
///
/// ```
/// use sitemap_pages::state::{ListedPage, State};
///
/// let mut state = State::in_memory()?;
/// state.set_listing(&["sitemap.xml"], [ListedPage::default()])?;
/// drop(state.new_listing()?);
/// assert_eq!(state.listing().count(), 1);
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
#[derive(Debug)]
pub struct NewListing<'a> {
    state: &'a mut State,
    files: u64,
    old: OldListing,
    is_finished: bool,
}

/// The listing to be replaced. It's usually identical to the new one, and reading rows is faster than writing them
/// again.
#[derive(Debug, Default)]
struct OldListing {
    /// Rows of the old listing that haven't been compared yet.
    rows: vec::IntoIter<KeyAndRow>,
    /// The key of the last identical entry, or the last key written once the listings differ.
    last: Option<Vec<u8>>,
    /// The total of the identical entries.
    kept: Total,
    /// Whether the listings have started to differ, so that all further entries are written.
    differs: bool,
}

impl OldListing {
    fn next(&mut self, db: &Db) -> Result<Option<KeyAndRow>, StateError> {
        if self.rows.as_slice().is_empty() {
            self.rows = db.after(LISTING.id, self.last.as_deref(), AT_ONCE)?.into_iter();
        }
        Ok(self.rows.next())
    }

    /// Returns whether the old listing contains the same entry next.
    fn keeps(&mut self, db: &Db, key: &[u8], page: &ListedPage) -> Result<bool, StateError> {
        let (row, digest) = db.sealed(&LISTING, key, page)?;
        if self.next(db)?.is_none_or(|old| (&*old.0, &*old.1) != (key, &*row)) {
            return Ok(false);
        }
        self.kept.add(digest);
        self.last = Some(key.to_vec());
        Ok(true)
    }

    /// Deletes the rest of the old listing.
    fn end(&mut self, db: &Db) -> Result<(), StateError> {
        self.differs = true;
        db.clear_after(&LISTING, self.last.as_deref(), self.kept)
    }
}

impl NewListing<'_> {
    /// Adds the name of a file, and returns its number, counted from 0.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be written.
    pub fn file(&mut self, name: &str) -> Result<u64, StateError> {
        let number = self.files;
        self.state.db.write(|| self.state.db.put(&FILES, &number.to_be_bytes(), &name))?;
        self.files += 1;
        Ok(number)
    }

    /// Adds an entry. This is fast as long as the old listing contains the same entries in the same order.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read or written.
    pub fn page(&mut self, page: &ListedPage) -> Result<(), StateError> {
        let (db, old) = (&self.state.db, &mut self.old);
        let key = [page.file.to_be_bytes(), page.position.to_be_bytes()].concat();
        db.write(|| {
            if !old.differs {
                if old.keeps(db, &key, page)? {
                    return Ok(());
                }
                old.end(db)?;
            }
            // There can be no row to replace after the last key.
            if old.last.as_deref().is_some_and(|last| *last >= *key) {
                return db.put(&LISTING, &key, page);
            }
            db.put_sealed(&LISTING, &key, db.sealed(&LISTING, &key, page)?, None)?;
            old.last = Some(key);
            Ok(())
        })
    }

    /// Replaces the old listing.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read or written.
    pub fn finish(mut self) -> Result<(), StateError> {
        let (db, old) = (&self.state.db, &mut self.old);
        if !old.differs {
            db.write(|| old.end(db))?;
        }
        self.is_finished = true;
        self.state.db.commit()
    }
}

impl Drop for NewListing<'_> {
    fn drop(&mut self) {
        if !self.is_finished {
            self.state.db.roll_back();
        }
    }
}

impl State {
    /// Starts a new listing.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be written.
    pub fn new_listing(&mut self) -> Result<NewListing<'_>, StateError> {
        self.db.commit()?;
        self.db.write(|| self.db.clear(&FILES))?;
        Ok(NewListing { state: self, files: 0, old: OldListing::default(), is_finished: false })
    }

    /// Replaces the listing.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be written. In that case, the old listing stays.
    pub fn set_listing(
        &mut self,
        files: &[impl AsRef<str>],
        pages: impl IntoIterator<Item = ListedPage>,
    ) -> Result<(), StateError> {
        let mut listing = self.new_listing()?;
        for file in files {
            listing.file(file.as_ref())?;
        }
        for page in pages {
            listing.page(&page)?;
        }
        listing.finish()
    }

    /// Returns the entries, ordered by file and position.
    pub fn listing(&self) -> impl Iterator<Item = Result<ListedPage, StateError>> {
        self.db.all(LISTING).map(|row| row.map(|(_, page)| page))
    }

    /// Passes all entries, ordered by file and position.
    pub(crate) fn each_listed(
        &self,
        mut each: impl FnMut(ListedRow<'_>) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        self.db.scan(LISTING.id, |key, row| each(self.db.read(LISTING.id, key, row)?))
    }

    /// Returns the number of entries.
    pub fn listed_count(&self) -> u64 {
        self.db.rows(LISTING.id)
    }

    /// Returns the names of the files, ordered by number.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read.
    pub fn listing_files(&self) -> Result<Vec<String>, StateError> {
        self.db.all(FILES).map(|row| row.map(|(_, name)| name)).collect()
    }
}
