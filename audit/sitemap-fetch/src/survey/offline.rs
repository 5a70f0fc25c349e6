//! Checks pages that are read from somewhere other than their server.

use std::collections::HashSet;
use std::time::SystemTime;

use sitemap_pages::state::{ContentChanges, GapReason, RunKind, State, StateError};
use sitemap_pages::urls::without_fragment;
use sitemap_pages::visit::Visit;

use super::hash64;
use super::targets::Targets;

/// The result of [`check_with`].
///
/// ```
/// use sitemap_fetch::survey::Visited;
///
/// assert_eq!(Visited::default().visits, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Visited {
    /// The number of visits that were stored.
    pub visits: u64,
    /// The number of pages that listed pages name, but that were skipped because more than 200,000 are named.
    pub omitted: u64,
    /// The numbers of pages whose content is new or has changed.
    pub changes: ContentChanges,
}

/// The URLs of the pages to visit, as passed by [`check_with`].
pub type Urls<'a> = dyn Iterator<Item = Result<String, StateError>> + 'a;

/// The function that stores a visit, as passed by [`check_with`].
pub type Store<'a> = dyn FnMut(Visit) -> Result<(), StateError> + 'a;

/// Stores a visit to each page in the state's [listing](State::listing), and then to each page that these name as a
/// canonical or a translation. Sends no requests: `visit` produces the visits, for example from a site's files.
///
/// `visit` is called twice: first for the listed pages, then for the pages that they name. It gets each URL once,
/// without its fragment, and a function that stores a visit. It can create visits on several threads. If it knows
/// nothing about a page, it stores no visit. `now` is the current time. An interrupted run starts over.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::facts::{PageFacts, Response};
/// use sitemap_pages::state::{ListedPage, State, StateError};
/// use sitemap_fetch::survey::check_with;
/// use sitemap_pages::visit::{Outcome, Validators, Visit};
///
/// let mut state = State::in_memory()?;
/// let loc = "https://example.com/oak".to_owned();
/// state.set_listing(&["sitemap.xml"], [ListedPage::new(0, loc)])?;
///
/// let visited = check_with::<StateError>(&state, UNIX_EPOCH, &mut |urls, store| {
///     for url in urls {
///         let url = url?;
///         let body = b"<title>Oak</title><link rel=canonical href=/tree>";
///         let response = Response::new(&url, 200, &[], body);
///         let facts = Box::new(PageFacts::of(&response));
///         let outcome = Outcome::Page { facts, validators: Validators::default() };
///         store(Visit::new(url, UNIX_EPOCH, outcome))?;
///     }
///     Ok(())
/// })?;
/// assert_eq!(visited.visits, 2, "the listed page and its canonical");
/// # Ok::<(), StateError>(())
/// ```
///
/// # Errors
///
/// Returns the first error from `visit`, or a [`StateError`] if the state file can't be read or written.
pub fn check_with<E: From<StateError>>(
    state: &State,
    now: SystemTime,
    visit: &mut dyn FnMut(&mut Urls<'_>, &mut Store<'_>) -> Result<(), E>,
) -> Result<Visited, E> {
    let mut run = state.begin_run(RunKind::Check, now)?;
    if run.is_resumed() {
        // The source of the pages may have changed since the interruption.
        state.abandon_run(&run)?;
        run = state.begin_run(RunKind::Check, now)?;
    }
    let mut visited = Visited::default();
    let mut store = |visit: Visit| {
        visited.visits += 1;
        state.store(&run, &visit)
    };
    let mut seen = HashSet::new();
    let mut listed = state.listing().filter_map(|entry| {
        let loc = entry.map(|entry| entry.loc);
        let url = loc.as_deref().map(without_fragment);
        let is_new = url.is_ok_and(|url| seen.insert(hash64(url.as_bytes())));
        (is_new || loc.is_err()).then(|| loc.map(|loc| without_fragment(&loc).to_owned()))
    });
    visit(&mut listed, &mut store)?;
    // URLs that `visit` didn't consume are still listed, so they have to be in `seen`.
    listed.try_for_each(|url| url.map(drop))?;
    drop(listed);
    let targets = Targets::of(state, &run, &seen, |_| true)?;
    visit(&mut targets.urls.into_iter().map(Ok), &mut store)?;
    visited.omitted = targets.omitted;
    state.leave_out(&run, GapReason::MaxPages, targets.omitted)?;
    visited.changes = state.finish_run(&run)?;
    Ok(visited)
}
