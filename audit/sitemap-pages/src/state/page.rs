//! Pages and the results of their visits.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::error::StateError;
use super::open_state::State;
use super::run::Run;
use super::table::{Table, TableId};
use crate::facts::PageFacts;
use crate::visit::{Outcome, Validators, Visit};

pub(super) const PAGES: Table<Page> = Table::new(TableId::Pages);

/// Everything that is stored about a page.
///
/// The facts don't include blocks and links. Use [`State::blocks`] and [`State::links`] to get these.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::facts::{PageFacts, Response};
/// use sitemap_pages::state::{RunKind, State};
/// use sitemap_pages::visit::{Failure, FailureKind, Outcome, Validators, Visit};
///
/// let state = State::in_memory()?;
/// let url = "https://example.com/oak";
/// let visit = |outcome| Visit::new(url.to_owned(), UNIX_EPOCH, outcome);
/// let headers = &[("content-type", "text/html")];
/// let facts = PageFacts::of(&Response::new(url, 200, headers, b"<title>Oak"));
/// let page = Outcome::Page { facts: facts.into(), validators: Validators::default() };
///
/// for outcome in [page, Outcome::Failed(Failure::new(FailureKind::Timeout, "no answer within 30 s"))] {
///     let run = state.begin_run(RunKind::Check, UNIX_EPOCH)?;
///     state.store(&run, &visit(outcome))?;
///     state.finish_run(&run)?;
/// }
/// let page = state.page(url)?.unwrap();
/// assert_eq!((page.run, page.visit.status(), page.facts()), (2, None, None));
/// assert_eq!(page.last_facts().unwrap().title.as_deref(), Some("Oak"));
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Page {
    /// The last visit.
    pub visit: Visit,
    /// The number of the run that made the last visit.
    pub run: u64,
    /// The first visit.
    #[serde(with = "crate::stamp")]
    pub first_seen: SystemTime,
    /// The last visit that got a 2xx response, unless that is [`visit`](Self::visit) itself. Its facts and validators
    /// include updates from the headers of later 304 responses.
    pub last_content: Option<Box<Visit>>,
    /// The visit that last found the main content changed. `None` if it has never changed.
    #[serde(with = "crate::stamp::option")]
    pub content_changed: Option<SystemTime>,
    /// The last visit before that change, which still saw the old content.
    #[serde(with = "crate::stamp::option")]
    pub unchanged_until: Option<SystemTime>,
    /// The first visit that saw the current main content.
    #[serde(with = "crate::stamp::option")]
    pub content_since: Option<SystemTime>,
    /// The last visit that saw content at the page's own URL.
    #[serde(with = "crate::stamp::option")]
    pub(super) content_seen: Option<SystemTime>,
    /// The last visit that saw content and belongs to an earlier run than the last visit.
    #[serde(with = "crate::stamp::option")]
    pub(super) content_before: Option<SystemTime>,
}

impl Page {
    /// Returns the page's facts as of the last visit. If the page was not modified, these are the facts of
    /// [`last_content`](Self::last_content).
    pub fn facts(&self) -> Option<&PageFacts> {
        match &self.visit.outcome {
            Outcome::Page { facts, .. } => Some(facts),
            Outcome::NotModified(_) => self.last_facts(),
            Outcome::Blocked(_) | Outcome::Failed(_) => None,
        }
    }

    /// Returns the facts of the last visit with content.
    pub fn last_facts(&self) -> Option<&PageFacts> {
        self.content().map(|(facts, _)| facts)
    }

    /// Returns the validators to send with the next request, so that the server can respond with 304 if the content
    /// hasn't changed.
    pub fn validators(&self) -> Option<&Validators> {
        self.content().map(|(_, validators)| validators).filter(|validators| !validators.is_empty())
    }

    fn content(&self) -> Option<(&PageFacts, &Validators)> {
        content(&self.visit).or_else(|| self.last_content.as_deref().and_then(content))
    }
}

/// The same fields as [`Page`], used to write a visit without copying it.
#[derive(Serialize)]
struct PageRef<'a> {
    visit: &'a Visit,
    run: u64,
    #[serde(with = "crate::stamp")]
    first_seen: SystemTime,
    last_content: Option<&'a Visit>,
    #[serde(with = "crate::stamp::option")]
    content_changed: Option<SystemTime>,
    #[serde(with = "crate::stamp::option")]
    unchanged_until: Option<SystemTime>,
    #[serde(with = "crate::stamp::option")]
    content_since: Option<SystemTime>,
    #[serde(with = "crate::stamp::option")]
    content_seen: Option<SystemTime>,
    #[serde(with = "crate::stamp::option")]
    content_before: Option<SystemTime>,
}

/// Returns the facts of a visit, if it has content.
fn content(visit: &Visit) -> Option<(&PageFacts, &Validators)> {
    match &visit.outcome {
        Outcome::Page { facts, validators } if (200..300).contains(&facts.status) => {
            Some((facts, validators))
        }
        _ => None,
    }
}

/// Returns the facts of a visit that read the complete content. Truncated content isn't compared, because the point
/// where it's cut can change even if the page doesn't.
fn whole_content(visit: &Visit) -> Option<&PageFacts> {
    content(visit).map(|(facts, _)| facts).filter(|facts| !facts.is_cut)
}

/// Returns a visit with content, updated with the headers of a later 304.
fn updated(before: &Visit, later: &Outcome) -> Option<Visit> {
    let Outcome::NotModified(update) = later else { return None };
    let mut visit = before.clone();
    let Outcome::Page { facts, validators } = &mut visit.outcome else { return None };
    update.apply(facts, validators);
    Some(visit)
}

impl State {
    /// Stores a visit. A second visit to the same page in the same run replaces the first one.
    ///
    /// Everything written between this call and the next is stored along with the visit or lost with it. This ensures
    /// that an interrupted crawl has stored the links of all pages that it has visited.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the run is finished, or if the file can't be read or written. Everything stored
    /// since the last batch is then lost.
    pub fn store(&self, run: &Run, visit: &Visit) -> Result<(), StateError> {
        self.check_open(run)?;
        self.db.next_visit()?;
        self.db.write(|| {
            let key = visit.url.as_bytes();
            let (old, digest) = self.db.get_sealed(&PAGES, key)?.unzip();
            let last_content = match (&old, content(visit)) {
                (Some(old), None) => match content(&old.visit) {
                    Some(_) => Some(&old.visit),
                    None => old.last_content.as_deref(),
                },
                _ => None,
            };
            let is_same = visit.status() == Some(304)
                && last_content.is_none_or(|before| whole_content(before).is_some());
            let is_seen = visit.hops.is_empty() && (whole_content(visit).is_some() || is_same);
            let known = old.as_ref();
            let seen_before = known.and_then(|old| old.content_seen);
            let content_seen = if is_seen { Some(visit.at) } else { seen_before };
            let updated = last_content.and_then(|before| updated(before, &visit.outcome));
            let row = PageRef {
                visit,
                run: run.number(),
                first_seen: known.map_or(visit.at, |old| old.first_seen),
                last_content: updated.as_ref().or(last_content),
                content_changed: known.and_then(|old| old.content_changed),
                unchanged_until: known.and_then(|old| old.unchanged_until),
                content_since: known.and_then(|old| old.content_since).or(content_seen),
                content_seen,
                content_before: match known {
                    Some(old) if old.run == run.number() => old.content_before,
                    _ => seen_before,
                },
            };
            self.db.replace(&PAGES, key, &row, digest)?;
            let is_new = old.is_none();
            if old.is_some_and(|old| old.run == run.number()) {
                // The second visit may have lost the page's content.
                self.shapes.borrow_mut().spoil();
            }
            if let Some((facts, _)) = content(visit) {
                self.store_links(run, &visit.url, &facts.links, is_new)?;
            }
            self.store_content(run, visit, whole_content(visit), is_new)
        })
    }

    /// Returns the page whose requested URL is `url`, before any redirects.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file can't be read.
    pub fn page(&self, url: &str) -> Result<Option<Page>, StateError> {
        self.db.get(&PAGES, url.as_bytes())
    }

    /// Returns all pages, ordered by URL.
    pub fn pages(&self) -> impl Iterator<Item = Result<Page, StateError>> {
        self.db.all(PAGES).map(|row| row.map(|(_, page)| page))
    }

    /// Passes all pages, ordered by URL.
    pub(crate) fn each_page(
        &self,
        mut each: impl FnMut(Page) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        self.db.scan(PAGES.id, |key, row| each(self.db.read(PAGES.id, key, row)?))
    }

    /// Returns the number of pages.
    pub fn page_count(&self) -> u64 {
        self.db.rows(PAGES.id)
    }

    /// Returns `true` if the given run has visited the page.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file can't be read.
    pub fn visited_in(&self, run: &Run, url: &str) -> Result<bool, StateError> {
        Ok(self.page(url)?.is_some_and(|page| page.run == run.number()))
    }
}
