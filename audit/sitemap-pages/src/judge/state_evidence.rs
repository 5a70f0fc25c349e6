//! Evidence from a state file.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use sitemap_core::LastMod;
use sitemap_read::{Position, Span};

use super::evidence::{Crawl, Evidence, Listed, PageRecord};
use crate::content::{Blocks, SharedBlocks};
use crate::state::{Page, RunKind, State, StateError};
use crate::visit::{Outcome, Visit};

/// The maximum time between an unlisted page's last visit and the start of the last check. If it is longer, the page
/// may no longer exist. A crawl before each day's check is recent enough.
const RECENT: Duration = Duration::from_secs(24 * 60 * 60);

/// Evidence from a state file: the most recently stored listing, and what is known about its pages. Pages that were
/// only read from files are treated as not visited.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::judge::{JudgeOptions, Standing, StateEvidence, judge};
/// use sitemap_pages::state::{ListedPage, RunKind, State};
/// use sitemap_pages::visit::{Failure, FailureKind, Outcome, Visit};
///
/// let mut state = State::in_memory()?;
/// let url = "https://example.com/oak";
/// let mut listed = ListedPage::new(0, url);
/// (listed.line, listed.column) = (1, 1);
/// state.set_listing(&["sitemap.txt"], [listed])?;
/// let run = state.begin_run(RunKind::Check, UNIX_EPOCH)?;
/// let outcome = Outcome::Failed(Failure::new(FailureKind::Dns, "the host has no address"));
/// state.store(&run, &Visit::new(url.into(), UNIX_EPOCH, outcome))?;
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
    listed_at: Option<SystemTime>,
}

impl<'a> StateEvidence<'a> {
    /// Uses a state.
    pub fn new(state: &'a State) -> Self {
        Self { state, listed_at: None }
    }

    /// Sets when the sitemaps of the listing were read. Default: unknown.
    ///
    /// If a page was visited after this time and its content hadn't changed, a `lastmod` in between can't be true. If
    /// the time is unknown, detecting this takes two days longer for a `lastmod` without a time. See the
    /// [example](Self).
    pub fn listed_at(mut self, time: SystemTime) -> Self {
        self.listed_at = Some(time);
        self
    }
}

impl StateEvidence<'_> {
    /// Returns the numbers of the runs that read files. Their visits don't show how a server responds.
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

/// Returns what a judgement needs to know about a page.
pub(super) fn record(page: Page) -> PageRecord {
    let earlier = page.last_content.and_then(|visit| match visit.outcome {
        Outcome::Page { facts, .. } => Some(facts),
        _ => None,
    });
    let (content_since, unchanged_until) = (page.content_since, page.unchanged_until);
    let first_seen = Some(page.first_seen);
    PageRecord { visit: page.visit, earlier, content_since, unchanged_until, first_seen }
}

impl Evidence for StateEvidence<'_> {
    type Error = StateError;

    fn entries(&self, each: &mut dyn FnMut(&Listed) -> Result<(), StateError>) -> Result<(), StateError> {
        let mut listed = Listed::new(0, Span::new(Position::new(0, 1, 1), 0), "");
        listed.read_at = self.listed_at;
        self.state.each_listed(|page| {
            listed.file = usize::try_from(page.file).unwrap_or(usize::MAX);
            listed.span = Span::new(Position::new(page.position, page.line, page.column), page.len);
            page.loc.clone_into(&mut listed.loc);
            listed.lastmod = page.lastmod.and_then(|lastmod| LastMod::parse(lastmod).ok());
            listed.alternates.clear();
            let versions = page.alternates.iter();
            listed.alternates.extend(versions.map(|one| (one.language.to_owned(), one.url.to_owned())));
            each(&listed)
        })
    }

    fn pages(&self, each: &mut dyn FnMut(&PageRecord)) -> Result<(), StateError> {
        let builds = self.builds()?;
        self.state.each_page(|page| {
            if !builds.contains(&page.run) {
                each(&record(page));
            }
            Ok(())
        })
    }

    fn page(&self, url: &str) -> Result<Option<PageRecord>, StateError> {
        let Some(page) = self.state.page(url)? else { return Ok(None) };
        let is_build = self.state.run(page.run)?.is_some_and(|run| run.kind == RunKind::Build);
        Ok((!is_build).then(|| record(page)))
    }

    fn shared_blocks(&self) -> Result<Option<SharedBlocks>, StateError> {
        self.state.all_shared_blocks()
    }

    fn blocks(&self, each: &mut dyn FnMut(&str, &Blocks)) -> Result<(), StateError> {
        self.state.each_content(|url, blocks| {
            each(url, blocks);
            Ok(())
        })
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

    /// Returns the last crawl. Its start page is the first URL that it found.
    fn crawl(&self) -> Result<Option<Crawl>, StateError> {
        let mut last = None;
        // The times of the first and the last check after the crawl.
        let mut later: Option<(SystemTime, SystemTime)> = None;
        for run in self.state.runs() {
            let run = run?;
            match run.kind {
                RunKind::Crawl => (last, later) = (Some(run), None),
                RunKind::Check => later = Some((later.map_or(run.time, |(first, _)| first), run.time)),
                // Runs that read a build's files don't follow links.
                RunKind::Build => {}
            }
        }
        let Some(run) = last else { return Ok(None) };
        let ended_by = later.map(|(first, _)| first).filter(|first| *first > run.time);
        let holds_from = later.and_then(|(_, last)| last.checked_sub(RECENT));
        let incomplete = if run.is_finished {
            let gaps: Vec<_> = run.gaps.iter().map(ToString::to_string).collect();
            (!gaps.is_empty()).then(|| gaps.join(", "))
        } else {
            Some("it was interrupted".to_owned())
        };
        // Listed pages are found even without a link, so only the first URL is certainly a start.
        let starts = self.state.frontier(0, 1)?.into_iter().map(|found| found.url);
        Ok(Some(Crawl { starts: starts.collect(), incomplete, began: Some(run.time), ended_by, holds_from }))
    }

    fn links(&self, each: &mut dyn FnMut(&str, &str)) -> Result<(), StateError> {
        self.state.each_link(each)
    }
}
