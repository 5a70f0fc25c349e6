//! Reading the pages of a state that several readers share.

use super::db::AT_ONCE;
use super::error::StateError;
use super::handle::State;
use super::head::Total;
use super::page::{PAGES, Page};

/// A place in the pages of a state, for a reader that cannot borrow the state meanwhile.
///
/// Several readers can share a state, each with a cursor of its own:
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::state::{PageCursor, RunKind, State};
/// use sitemap_pages::visit::{Outcome, Visit};
///
/// let state = State::in_memory()?;
/// let run = state.begin_run(RunKind::Check, UNIX_EPOCH)?;
/// for name in ["ash", "oak"] {
///     let url = format!("https://example.com/{name}");
///     state.store(&run, &Visit { url, at: UNIX_EPOCH, hops: Vec::new(), outcome: Outcome::NotModified(Box::default()) })?;
/// }
/// let (mut one, mut other) = (PageCursor::default(), PageCursor::default());
/// assert_eq!(one.next_pages(&state)?.len(), 2);
/// assert_eq!(other.next_pages(&state)?[1].visit.url, "https://example.com/oak");
/// assert!(one.next_pages(&state)?.is_empty());
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PageCursor {
    last: Option<Vec<u8>>,
    found: Total,
    /// The writes to the table before the first page was read.
    writes: Option<u64>,
}

impl PageCursor {
    /// Returns the next pages in the order of their URLs, at most 128, or none at the end. All calls must pass the same
    /// state.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file cannot be read, if a page is damaged or, at the end, if one is missing. The
    /// pages that this call has read before the damaged one are lost.
    pub fn next_pages(&mut self, state: &State) -> Result<Vec<Page>, StateError> {
        let writes = *self.writes.get_or_insert_with(|| state.db.writes(PAGES.id));
        let mut rows = state.db.after_place(PAGES, (self.last.clone(), self.found), writes);
        let pages = rows.by_ref().take(AT_ONCE as usize).map(|row| row.map(|(_, page)| page));
        let pages = pages.collect::<Result<_, _>>()?;
        (self.last, self.found) = rows.place();
        Ok(pages)
    }
}
