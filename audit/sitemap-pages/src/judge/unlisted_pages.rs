//! Pages of a crawl that a sitemap should list.

use std::collections::BTreeMap;
use std::time::SystemTime;

use sitemap_read::{Position, Rule, Span};

use super::evidence::{Crawl, Evidence, Listed, PageRecord};
use super::judgement::judge;
use super::options::JudgeOptions;
use super::standing::Standing;
use super::state_evidence::{StateEvidence, record};
use super::verdict::{Judgement, Verdict};
use super::without_listing::without_listing;
use crate::content::{Blocks, SharedBlocks};
use crate::state::{RunKind, State, StateError};
use crate::visit::Visit;

/// What the last crawl in a state file found out about its pages.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::facts::{PageFacts, Response};
/// use sitemap_pages::judge::{Standing, indexable_pages};
/// use sitemap_pages::state::{RunKind, State};
/// use sitemap_pages::visit::{Outcome, Validators, Visit};
///
/// let state = State::in_memory()?;
/// let run = state.begin_run(RunKind::Crawl, UNIX_EPOCH)?;
/// for (path, body) in [("", "<p>Home"), ("cart", "<meta name=robots content=noindex>"), ("index.html", "<p>Home")] {
///     let url = format!("https://example.com/{path}");
///     let headers = &[("content-type", "text/html")];
///     let response = Response::new(&url, 200, headers, body.as_bytes());
///     let facts = Box::new(PageFacts::of(&response));
///     let outcome = Outcome::Page { facts, validators: Validators::default() };
///     state.store(&run, &Visit::new(url, UNIX_EPOCH, outcome))?;
/// }
/// state.finish_run(&run)?;
///
/// let mut urls = Vec::new();
/// let crawled = indexable_pages(&state, &mut |url, _| urls.push(url.to_owned()))?;
/// assert_eq!(urls, ["https://example.com/"]);
/// assert_eq!((crawled.listed, crawled.duplicates, crawled.left_out[&Standing::Noindex]), (1, 1, 1));
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crawled {
    /// Whether the state file contains a crawl.
    pub is_crawled: bool,
    /// Why the crawl is incomplete, or `None` if it is complete.
    pub incomplete: Option<String>,
    /// The number of pages that can be indexed.
    pub listed: u64,
    /// The number of pages that can be indexed, but have the same main content as an earlier page.
    pub duplicates: u64,
    /// The number of pages that can't be indexed, by reason.
    pub left_out: BTreeMap<Standing, u64>,
}

/// Passes the indexable pages of the last crawl, each with the date of its last change, ordered by URL. If several
/// pages have the same main content, only the first is passed. See the [example](Crawled).
///
/// # Errors
///
/// Returns a [`StateError`] if the state file can't be read.
pub fn indexable_pages(
    state: &State,
    each: &mut dyn FnMut(&str, Option<SystemTime>),
) -> Result<Crawled, StateError> {
    let Some((pages, crawl)) = PagesOfCrawl::of(state)? else { return Ok(Crawled::default()) };
    let mut crawled = Crawled { is_crawled: true, incomplete: crawl.incomplete, ..Crawled::default() };
    judge(&pages, &JudgeOptions::new(), &mut |verdict| {
        if verdict.standing != Standing::Indexable {
            *crawled.left_out.entry(verdict.standing).or_default() += 1;
        } else if verdict.findings.iter().any(|finding| finding.rule() == Rule::PageDuplicate) {
            crawled.duplicates += 1;
        } else {
            crawled.listed += 1;
            each(verdict.url, verdict.changed);
        }
    })?;
    Ok(crawled)
}

/// Judges the last crawl of a site without a sitemap, as if a sitemap listed every page. Only rules that make sense
/// without a sitemap apply: a missing page is reported because another page links to it, but a `noindex` page is not.
/// Returns `None` if the state file contains no crawl.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::facts::{PageFacts, Response};
/// use sitemap_pages::judge::{JudgeOptions, Standing, judge_crawl};
/// use sitemap_pages::state::{RunKind, State};
/// use sitemap_pages::visit::{Outcome, Validators, Visit};
///
/// let state = State::in_memory()?;
/// assert!(judge_crawl(&state, &JudgeOptions::new(), &mut |_| {})?.is_none());
///
/// let run = state.begin_run(RunKind::Crawl, UNIX_EPOCH)?;
/// for (path, status, body) in [("", 200, "<a href=/elm>"), ("cart", 200, "<meta name=robots content=noindex>"), ("elm", 404, "")] {
///     let url = format!("https://example.com/{path}");
///     let headers = &[("content-type", "text/html")];
///     let response = Response::new(&url, status, headers, body.as_bytes());
///     let facts = Box::new(PageFacts::of(&response));
///     let outcome = Outcome::Page { facts, validators: Validators::default() };
///     state.store(&run, &Visit::new(url, UNIX_EPOCH, outcome))?;
/// }
/// state.finish_run(&run)?;
///
/// let mut found = Vec::new();
/// let judgement = judge_crawl(&state, &JudgeOptions::new(), &mut |verdict| {
///     found.extend(verdict.findings.iter().map(|finding| format!("{} {}", finding.rule(), verdict.url)));
/// })?;
/// assert_eq!(found, ["page-missing https://example.com/elm"]);
/// assert_eq!(judgement.unwrap().table.count(Standing::Noindex), 1);
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
///
/// # Errors
///
/// Returns a [`StateError`] if the state file can't be read.
pub fn judge_crawl(
    state: &State,
    options: &JudgeOptions,
    each: &mut dyn FnMut(Verdict<'_>),
) -> Result<Option<Judgement>, StateError> {
    let Some((pages, crawl)) = PagesOfCrawl::of(state)? else { return Ok(None) };
    let options = JudgeOptions { pages_are: "crawled", ..options.clone() };
    let mut judgement = judge(&pages, &options, &mut |mut verdict| {
        verdict.findings.retain(|finding| without_listing(finding.rule()).is_some());
        each(verdict);
    })?;
    judgement.counts.retain(|rule, _| without_listing(*rule).is_some());
    judgement.incomplete = crawl.incomplete;
    Ok(Some(judgement))
}

/// The pages of a crawl, as if a sitemap listed all of them.
struct PagesOfCrawl<'a> {
    known: StateEvidence<'a>,
    state: &'a State,
    /// The number of the crawl's run. Later runs may have visited the same pages again.
    run: u64,
}

impl<'a> PagesOfCrawl<'a> {
    /// Returns the pages of the last crawl, and how it ended.
    fn of(state: &'a State) -> Result<Option<(Self, Crawl)>, StateError> {
        let known = StateEvidence::new(state);
        let Some(crawl) = known.crawl()? else { return Ok(None) };
        let mut run = 0;
        for record in state.runs() {
            let record = record?;
            if record.kind == RunKind::Crawl {
                run = record.number;
            }
        }
        Ok(Some((Self { known, state, run }, crawl)))
    }
}

impl Evidence for PagesOfCrawl<'_> {
    type Error = StateError;

    fn entries(&self, each: &mut dyn FnMut(&Listed) -> Result<(), StateError>) -> Result<(), StateError> {
        let place = Span::new(Position::new(0, 1, 1), 0);
        self.state.each_page(|page| {
            if page.run < self.run {
                return Ok(());
            }
            each(&Listed::new(0, place, page.visit.url))
        })
    }

    fn pages(&self, each: &mut dyn FnMut(&PageRecord)) -> Result<(), StateError> {
        self.state.each_page(|page| {
            if page.run >= self.run {
                each(&record(page));
            }
            Ok(())
        })
    }

    fn page(&self, url: &str) -> Result<Option<PageRecord>, StateError> {
        self.known.page(url)
    }

    fn shared_blocks(&self) -> Result<Option<SharedBlocks>, StateError> {
        self.known.shared_blocks()
    }

    fn blocks(&self, each: &mut dyn FnMut(&str, &Blocks)) -> Result<(), StateError> {
        self.known.blocks(each)
    }

    fn probes(&self, each: &mut dyn FnMut(&Visit, &Blocks)) -> Result<(), StateError> {
        self.known.probes(each)
    }

    /// It doesn't matter here whether pages are linked.
    fn crawl(&self) -> Result<Option<Crawl>, StateError> {
        Ok(None)
    }

    fn links(&self, _: &mut dyn FnMut(&str, &str)) -> Result<(), StateError> {
        Ok(())
    }
}
