//! The check of pages that are read from elsewhere than their server.

use std::collections::HashSet;
use std::time::SystemTime;

use super::targets::Targets;
use crate::content::hash64;
use crate::state::{ContentChanges, GapReason, RunKind, State, StateError};
use crate::visit::{Visit, without_fragment};

/// What [`check_with`] has done.
///
/// ```
/// use sitemap_pages::survey::Visited;
///
/// assert_eq!(Visited::default().visits, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Visited {
    /// The number of visits that were stored.
    pub visits: u64,
    /// The number of pages that listed pages name and that were left out, because there are more than 200,000.
    pub omitted: u64,
    /// The pages whose content is new or changed.
    pub changes: ContentChanges,
}

/// Stores a visit of each page that the state's [listing](State::listing) names, and then of each page that these name
/// as canonical or as a translation. Sends no requests: `visit` makes the visits, such as from the files of a site. For
/// a page that it knows nothing about, it returns `None`.
///
/// `visit` is called once for each URL, without its fragment. `now` is the current time. A run that was interrupted
/// begins again.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::facts::{PageFacts, Response};
/// use sitemap_pages::state::{ListedPage, State, StateError};
/// use sitemap_pages::survey::check_with;
/// use sitemap_pages::visit::{Outcome, Validators, Visit};
///
/// let mut state = State::in_memory()?;
/// let loc = "https://example.com/oak".to_owned();
/// state.set_listing(&["sitemap.xml"], [ListedPage { loc, ..ListedPage::default() }])?;
///
/// let visited = check_with::<StateError>(&state, UNIX_EPOCH, &mut |url| {
///     let body = b"<title>Oak</title><link rel=canonical href=/tree>";
///     let response = Response { requested: url, url, status: 200, headers: &[], body, is_cut: false };
///     let facts = Box::new(PageFacts::of(&response));
///     let outcome = Outcome::Page { facts, validators: Validators::default() };
///     Ok(Some(Visit { url: url.to_owned(), at: UNIX_EPOCH, hops: Vec::new(), outcome }))
/// })?;
/// assert_eq!(visited.visits, 2, "the listed page and its canonical");
/// # Ok::<(), StateError>(())
/// ```
///
/// # Errors
///
/// Returns the first error of `visit`, or a [`StateError`] if the state cannot be read or written.
pub fn check_with<E: From<StateError>>(
    state: &State,
    now: SystemTime,
    visit: &mut dyn FnMut(&str) -> Result<Option<Visit>, E>,
) -> Result<Visited, E> {
    let mut run = state.begin_run(RunKind::Check, now)?;
    if run.is_resumed() {
        // What the pages are read from may have changed since.
        state.abandon_run(&run)?;
        run = state.begin_run(RunKind::Check, now)?;
    }
    let mut visited = Visited::default();
    let mut store = |url: &str| -> Result<(), E> {
        if let Some(visit) = visit(url)? {
            state.store(&run, &visit)?;
            visited.visits += 1;
        }
        Ok(())
    };
    let mut seen = HashSet::new();
    for entry in state.listing() {
        let loc = entry?.loc;
        let url = without_fragment(&loc);
        if seen.insert(hash64(url.as_bytes())) {
            store(url)?;
        }
    }
    let targets = Targets::of(state, &run, &seen, |_| true)?;
    targets.urls.iter().try_for_each(|url| store(url))?;
    visited.omitted = targets.omitted;
    state.leave_out(&run, GapReason::MaxPages, targets.omitted)?;
    visited.changes = state.finish_run(&run)?;
    Ok(visited)
}
