//! The URLs found by a crawl.

use serde::{Deserialize, Serialize};

use super::error::StateError;
use super::open_state::State;
use super::table::{Table, TableId};

pub(super) const FRONTIER: Table<FoundUrl> = Table::new(TableId::Frontier);
pub(super) const QUEUED: Table<u64> = Table::new(TableId::Queued);

/// A URL found by a crawl.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::state::{RunKind, State};
///
/// let state = State::in_memory()?;
/// state.begin_run(RunKind::Crawl, UNIX_EPOCH)?;
/// assert!(state.enqueue("https://example.com/", 0, None)?);
/// assert!(state.enqueue("https://example.com/oak", 1, Some("https://example.com/"))?);
/// assert!(!state.enqueue("https://example.com/oak", 2, None)?, "it is known");
///
/// let found = state.frontier(0, 10)?;
/// assert_eq!((found.len(), found[1].depth, found[1].number), (2, 1, 2));
/// assert!(state.frontier(2, 10)?.is_empty());
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FoundUrl {
    /// The URL's number within the crawl, counted from 1.
    pub number: u64,
    /// The URL.
    pub url: String,
    /// The number of links between this URL and the nearest start page or listed page.
    pub depth: u32,
    /// The URL of the first page that was found to link to this one.
    pub found_on: Option<String>,
}

impl State {
    /// Adds a URL to the last crawl. Returns `false` if the crawl had already found it.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read or written.
    pub fn enqueue(&self, url: &str, depth: u32, found_on: Option<&str>) -> Result<bool, StateError> {
        self.db.write(|| {
            if self.db.get(&QUEUED, url.as_bytes())?.is_some() {
                return Ok(false);
            }
            let number = self.db.head(|head| head.queued) + 1;
            let (url, found_on) = (url.to_owned(), found_on.map(str::to_owned));
            self.db.put(&QUEUED, url.as_bytes(), &number)?;
            self.db.put(&FRONTIER, &number.to_be_bytes(), &FoundUrl { number, url, depth, found_on })?;
            self.db.change_head(|head| head.queued = number);
            Ok(true)
        })
    }

    /// Returns the URLs of the last crawl that come after a number, in the order they were found, including those
    /// already visited. When continuing a crawl, use [`visited_in`](Self::visited_in) to skip these.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read.
    pub fn frontier(&self, after: u64, limit: usize) -> Result<Vec<FoundUrl>, StateError> {
        let rows = self.db.from(FRONTIER, Some(after.to_be_bytes().to_vec()));
        rows.take(limit).map(|row| row.map(|(_, found)| found)).collect()
    }

    /// Returns a URL of the last crawl.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read.
    pub fn found(&self, url: &str) -> Result<Option<FoundUrl>, StateError> {
        match self.db.get(&QUEUED, url.as_bytes())? {
            Some(number) => self.db.get(&FRONTIER, &number.to_be_bytes()),
            None => Ok(None),
        }
    }

    /// Returns how many URLs the last crawl has found.
    pub fn found_count(&self) -> u64 {
        self.db.rows(FRONTIER.id)
    }

    /// Removes the URLs of the previous crawl.
    pub(super) fn clear_frontier(&self) -> Result<(), StateError> {
        self.db.clear(&FRONTIER)?;
        self.db.clear(&QUEUED)?;
        self.db.change_head(|head| head.queued = 0);
        Ok(())
    }
}
