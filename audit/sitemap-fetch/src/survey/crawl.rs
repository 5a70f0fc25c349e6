//! Crawls a site.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Instant, SystemTime};

use sitemap_pages::facts::{PageFacts, PageLink, RobotsRule};
use sitemap_pages::state::{FoundUrl, GapReason, Run, RunKind, State, StateError};
use sitemap_pages::urls::origin;
use sitemap_pages::urls::without_fragment;
use sitemap_pages::visit::{Blocked, Outcome, Visit};

use super::hash64;
use super::options::{CrawlLimits, Survey};
use super::recent_links::Followed;
use super::store::Storing;
use super::summary::Done;
use super::work::{Asking, Asks};
use crate::Request;

/// The number of URLs to read from the state file at a time.
const BATCH: usize = 256;

impl Survey<'_> {
    /// Follows links from the start pages within their hosts, and stores all pages. Pages in the state's
    /// [listing](sitemap_pages::state::State::listing) are requested too if they are on these hosts.
    ///
    /// `nofollow` links are not followed. JavaScript is not run: pages that look empty without it are counted as a gap.
    /// To avoid looking up the navigation links of every page, a crawl keeps up to 16,384 links in memory, at most 5
    /// MB. If the time limit ends the call, the run stays unfinished and the next call continues it.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read or written.
    pub async fn crawl(
        mut self,
        starts: &[String],
        limits: CrawlLimits,
        now: SystemTime,
    ) -> Result<Done, StateError> {
        let run = self.state.begin_run(RunKind::Crawl, now)?;
        let hosts: HashSet<String> =
            starts.iter().filter_map(|url| origin(url)).map(Cow::into_owned).collect();
        for url in starts {
            self.state.enqueue(without_fragment(url), 0, None)?;
        }
        for entry in self.state.listing() {
            let loc = entry?.loc;
            if origin(&loc).is_some_and(|origin| hosts.contains(&*origin)) && (self.only)(&loc) {
                self.state.enqueue(without_fragment(&loc), 0, None)?;
            }
        }
        let mut work = Asking {
            storing: Storing::new(self.state, &run, now, &mut self.on_progress),
            asks: Crawling {
                hosts,
                only: self.only,
                excluded: 0,
                limits,
                deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
                is_over: false,
                read: 0,
                deepest: 0,
                batch: VecDeque::new(),
                open: HashMap::new(),
                followed: Followed::new(),
                resumed: 0,
            },
        };
        let robots = work.storing.robots()?;
        let summary = self.fetcher.run_apart(now, robots, &mut work).await;
        let Asking { storing, asks: Crawling { only, is_over, deepest, resumed, excluded, .. } } = work;
        storing.error.map_or(Ok(()), Err)?;
        let mut done = Done { summary, resumed, excluded, ..Done::default() };
        if is_over {
            self.state.flush()?;
            done.unfinished = true;
            return Ok(done);
        }
        note_gaps(self.state, &run, limits, deepest, &*only)?;
        done.changes = self.state.finish_run(&run)?;
        done.gaps = self.state.run(run.number())?.map(|record| record.gaps).unwrap_or_default();
        Ok(done)
    }
}

struct Crawling<'s> {
    hosts: HashSet<String>,
    only: Box<dyn Fn(&str) -> bool + 's>,
    /// The number of links to pages that `only` does not accept.
    excluded: u64,
    limits: CrawlLimits,
    deadline: Option<Instant>,
    /// Whether the time limit has ended the call.
    is_over: bool,
    /// The number of the last URL read from the state file.
    read: u64,
    /// The greatest depth of any URL read from the state file.
    deepest: u32,
    batch: VecDeque<FoundUrl>,
    /// The depth of each URL that is being fetched.
    open: HashMap<String, u32>,
    /// Links that the crawl has already added to the frontier, or that go to other hosts.
    followed: Followed,
    resumed: u64,
}

impl Crawling<'_> {
    /// Returns the next URL within the limits.
    fn next_found(&mut self, storing: &mut Storing<'_>) -> Option<FoundUrl> {
        if self.batch.is_empty() {
            let batch = storing.state.frontier(self.read, BATCH);
            self.batch = storing.keep(batch)?.into();
        }
        let found = self.batch.pop_front().filter(|found| found.number <= self.limits.pages)?;
        self.read = found.number;
        self.deepest = self.deepest.max(found.depth);
        Some(found)
    }

    /// Adds a page's links to the frontier.
    fn follow(&mut self, state: &State, visit: &Visit, depth: u32) -> Result<(), StateError> {
        // A redirect target is a page of its own.
        if !visit.hops.is_empty() && self.is_wanted(visit.last_url()) {
            state.enqueue(without_fragment(visit.last_url()), depth, Some(&visit.url))?;
        }
        if depth >= self.limits.depth {
            return Ok(());
        }
        match &visit.outcome {
            Outcome::Page { facts, .. } if may_follow(facts) => {
                self.follow_links(state, &facts.links, &visit.url, depth)?;
            }
            // The page contains the same links as before.
            Outcome::NotModified(_) => {
                let may = state.page(&visit.url)?.is_none_or(|page| page.last_facts().is_none_or(may_follow));
                if may {
                    self.follow_links(state, &state.links(&visit.url)?, &visit.url, depth)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the links of a page at this depth to the frontier, unless they are already in it.
    fn follow_links(
        &mut self,
        state: &State,
        links: &[PageLink],
        page: &str,
        depth: u32,
    ) -> Result<(), StateError> {
        for link in links.iter().filter(|link| !link.is_nofollow) {
            if self.followed.is_new(&link.url) && self.is_wanted(&link.url) {
                state.enqueue(&link.url, depth + 1, Some(page))?;
            }
        }
        Ok(())
    }

    fn is_wanted(&mut self, url: &str) -> bool {
        let is_inside = origin(url).is_some_and(|origin| self.hosts.contains(&*origin));
        let is_excluded = is_inside && !(self.only)(url);
        self.excluded += u64::from(is_excluded);
        is_inside && !is_excluded
    }
}

/// Returns `false` for a page that asks crawlers not to follow its links.
fn may_follow(facts: &PageFacts) -> bool {
    !facts.robots.iter().any(|directive| {
        directive.applies_to("sitemap") && matches!(directive.rule, RobotsRule::NoFollow | RobotsRule::None)
    })
}

impl Asks for Crawling<'_> {
    fn next(&mut self, storing: &mut Storing<'_>) -> Option<Request> {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.is_over = true;
            return None;
        }
        loop {
            let found = self.next_found(storing)?;
            let request = storing.request(&found.url);
            match storing.keep(request)? {
                Some(request) => {
                    self.open.insert(found.url, found.depth);
                    return Some(request);
                }
                None => self.resumed += 1,
            }
        }
    }

    fn done(&mut self, storing: &mut Storing<'_>, visit: Visit) {
        let depth = self.open.remove(&visit.url).unwrap_or(0);
        storing.store(&visit);
        let followed = self.follow(storing.state, &visit, depth);
        storing.keep(followed);
    }

    fn resumed(&self) -> u64 {
        self.resumed
    }

    fn expected(&self, state: &State) -> u64 {
        state.found_count().min(self.limits.pages)
    }
}

/// Records the pages and links that the crawl couldn't see. The counts come from the state file, so that an interrupted
/// crawl ends with the same ones. `deepest` is the greatest depth of any page.
fn note_gaps(
    state: &State,
    run: &Run,
    limits: CrawlLimits,
    deepest: u32,
    only: &dyn Fn(&str) -> bool,
) -> Result<(), StateError> {
    let (mut failed, mut cut, mut links, mut empty, mut deep) = (0, 0, 0, 0, HashSet::new());
    for page in state.pages() {
        let page = page?;
        if page.run != run.number() {
            continue;
        }
        failed += u64::from(match &page.visit.outcome {
            Outcome::Page { facts, .. } => facts.status >= 500 || facts.status == 429,
            Outcome::Blocked(Blocked::Unreachable { .. }) | Outcome::Failed(_) => true,
            // Search engines don't see the links of pages that robots.txt forbids either, so these pages are no gap.
            _ => false,
        });
        let Some(facts) = page.facts() else { continue };
        cut += u64::from(facts.is_cut);
        links += facts.omitted_links as u64;
        empty += u64::from(facts.is_empty_without_javascript);
        if deepest < limits.depth {
            continue;
        }
        let depth = state.found(&page.visit.url)?.map_or(0, |found| found.depth);
        if depth >= limits.depth && may_follow(facts) {
            for link in state.links(&page.visit.url)?.iter().filter(|link| !link.is_nofollow) {
                let is_inside = origin(&link.url) == origin(&page.visit.url) && only(&link.url);
                if is_inside && state.found(&link.url)?.is_none() {
                    deep.insert(hash64(link.url.as_bytes()));
                }
            }
        }
    }
    let past = state.found_count().saturating_sub(limits.pages);
    for (reason, count) in [
        (GapReason::MaxPages, past),
        (GapReason::MaxDepth, deep.len() as u64),
        (GapReason::Failed, failed),
        (GapReason::Links, links),
        (GapReason::Cut, cut),
        (GapReason::NoJavaScript, empty),
    ] {
        state.leave_out(run, reason, count)?;
    }
    Ok(())
}
