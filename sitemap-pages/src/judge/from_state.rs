//! A state file as evidence.

use std::collections::HashSet;
use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_read::{Position, Span};

use crate::content::Blocks;
use crate::state::{ListedPage, Page, RunKind, State, StateError};
use crate::visit::{Outcome, Visit, without_fragment};

use super::evidence::{Crawl, Evidence, Listed, PageRecord};

/// A state file as evidence: the listing that was stored last, and what is known about its pages. Pages that were only
/// read from files count as not visited.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::judge::{JudgeOptions, Standing, StateEvidence, judge};
/// use sitemap_pages::state::{ListedPage, RunKind, State};
/// use sitemap_pages::visit::{Failure, FailureKind, Outcome, Visit};
///
/// let mut state = State::in_memory()?;
/// let url = "https://example.com/oak";
/// state.set_listing(&["sitemap.txt"], [ListedPage { loc: url.into(), line: 1, column: 1, ..ListedPage::default() }])?;
/// let run = state.begin_run(RunKind::Check, UNIX_EPOCH)?;
/// let outcome = Outcome::Failed(Failure::new(FailureKind::Dns, "the host has no address"));
/// state.store(&run, &Visit { url: url.into(), at: UNIX_EPOCH, hops: Vec::new(), outcome })?;
/// state.finish_run(&run)?;
///
/// let evidence = StateEvidence::new(&state).listed_at(UNIX_EPOCH);
/// let judgement = judge(&evidence, &JudgeOptions::new(), &mut |verdict| {
///     assert_eq!(verdict.findings[0].message(), "the page cannot be fetched: the host has no address");
/// })?;
/// assert_eq!(judgement.table.count(Standing::Failing), 1);
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct StateEvidence<'a> {
    state: &'a State,
    listing: &'a State,
    listed_at: Option<SystemTime>,
}

impl<'a> StateEvidence<'a> {
    /// Uses a state.
    pub fn new(state: &'a State) -> Self {
        Self { state, listing: state, listed_at: None }
    }

    /// Sets the time when the sitemaps of the listing were read. Default: unknown.
    ///
    /// If a page was visited after this time and its content is the old one, a `lastmod` between cannot be true. If the
    /// time is unknown, this takes two days longer to find out for a `lastmod` without a time. See the
    /// [example](Self).
    pub fn listed_at(mut self, time: SystemTime) -> Self {
        self.listed_at = Some(time);
        self
    }

    /// Uses the listing of another state. Default: that of the state with the pages.
    ///
    /// So a set can be compared with a state that stays as it is.
    ///
    /// ```
    /// use sitemap_pages::judge::{JudgeOptions, Standing, StateEvidence, judge};
    /// use sitemap_pages::state::{ListedPage, State};
    ///
    /// let (pages, mut listing) = (State::in_memory()?, State::in_memory()?);
    /// let oak = ListedPage { loc: "https://example.com/oak".into(), ..ListedPage::default() };
    /// listing.set_listing(&["sitemap.txt"], [oak])?;
    /// let evidence = StateEvidence::new(&pages).listing_of(&listing);
    /// let judgement = judge(&evidence, &JudgeOptions::new(), &mut |_| {})?;
    /// assert_eq!(judgement.table.count(Standing::Unknown), 1);
    /// # Ok::<(), sitemap_pages::state::StateError>(())
    /// ```
    pub fn listing_of(mut self, other: &'a State) -> Self {
        self.listing = other;
        self
    }

    fn entry(&self, page: ListedPage) -> Listed {
        let file = usize::try_from(page.file).unwrap_or(usize::MAX);
        let span = Span::new(Position::new(page.position, page.line, page.column), page.len);
        let alternates = page.alternates.into_iter().map(|version| (version.language, version.url));
        Listed {
            file,
            span,
            loc: page.loc,
            lastmod: page.lastmod.and_then(|lastmod| LastMod::parse(&lastmod).ok()),
            alternates: alternates.collect(),
            read_at: self.listed_at,
        }
    }
}

impl StateEvidence<'_> {
    /// Returns the numbers of the runs that read files. They say nothing about what a server answers.
    fn builds(&self) -> Result<HashSet<u64>, StateError> {
        let mut builds = HashSet::new();
        for run in self.state.runs() {
            let run = run?;
            if run.kind == RunKind::Build {
                builds.insert(run.number);
            }
        }
        Ok(builds)
    }
}

/// Returns what a judgement needs of a page.
pub(super) fn record(page: Page) -> PageRecord {
    let earlier = page.last_content.and_then(|visit| match visit.outcome {
        Outcome::Page { facts, .. } => Some(facts),
        _ => None,
    });
    let (content_since, unchanged_until) = (page.content_since, page.unchanged_until);
    PageRecord { visit: page.visit, earlier, content_since, unchanged_until }
}

impl Evidence for StateEvidence<'_> {
    type Error = StateError;

    fn listed(&self, each: &mut dyn FnMut(&Listed, Option<&PageRecord>)) -> Result<(), StateError> {
        let builds = self.builds()?;
        for page in self.listing.listing() {
            let listed = self.entry(page?);
            let page = self.state.page(without_fragment(&listed.loc))?;
            let record = page.filter(|page| !builds.contains(&page.run)).map(record);
            each(&listed, record.as_ref());
        }
        Ok(())
    }

    /// Passes the records of all pages. A judgement skips those that are listed.
    fn unlisted(&self, each: &mut dyn FnMut(&PageRecord)) -> Result<(), StateError> {
        let builds = self.builds()?;
        for page in self.state.pages() {
            let page = page?;
            if !builds.contains(&page.run) {
                each(&record(page));
            }
        }
        Ok(())
    }

    fn page_count(&self) -> Option<u64> {
        Some(self.state.page_count())
    }

    fn blocks(&self, each: &mut dyn FnMut(&str, &Blocks)) -> Result<(), StateError> {
        for content in self.state.contents() {
            let (url, blocks) = content?;
            each(&url, &blocks);
        }
        Ok(())
    }

    fn probes(&self, each: &mut dyn FnMut(&Visit, &Blocks)) -> Result<(), StateError> {
        for probe in self.state.probes() {
            let (_, visit) = probe?;
            if let Outcome::Page { facts, .. } = &visit.outcome {
                each(&visit, &facts.blocks);
            }
        }
        Ok(())
    }

    /// Returns the last crawl, which began at the first URL that it found.
    fn crawl(&self) -> Result<Option<Crawl>, StateError> {
        let mut last = None;
        for run in self.state.runs() {
            let run = run?;
            if run.kind == RunKind::Crawl {
                last = Some(run);
            }
        }
        let Some(run) = last else { return Ok(None) };
        let incomplete = if run.is_finished {
            let gaps: Vec<_> = run.gaps.iter().map(ToString::to_string).collect();
            (!gaps.is_empty()).then(|| gaps.join(", "))
        } else {
            Some("it was interrupted".to_owned())
        };
        // Listed pages are found without a link too, so that only the first URL is certainly a start.
        let starts = self.state.frontier(0, 1)?.into_iter().map(|found| found.url);
        Ok(Some(Crawl { starts: starts.collect(), incomplete }))
    }

    fn links(&self, each: &mut dyn FnMut(&str, &str)) -> Result<(), StateError> {
        for row in self.state.all_links() {
            let (from, _, links) = row?;
            for link in links {
                each(&from, &link.url);
            }
        }
        Ok(())
    }
}
