//! The pages that a crawl reached through links.

use std::time::SystemTime;

use sitemap_read::{Rule, quoted};

use super::canonical::Named;
use super::dates::day;
use super::evidence::{Crawl, Evidence, PageRecord};
use super::fault::{Fault, plain};
use super::url_key::{Key, key};
use super::versions::of_page;
use crate::content::{HashedMap, HashedSet};
use crate::facts::PageFacts;
use crate::visit::Outcome;

/// The number of recent links to remember while reading links.
const RECENT: usize = 4096;

/// Returns the slot in which a link is remembered.
#[expect(clippy::cast_possible_truncation, reason = "any bits of the key select a place")]
const fn place(link: Key) -> usize {
    link as usize % RECENT
}

/// The pages that a crawl reached through links.
#[derive(Debug, Default)]
pub(super) struct Reached {
    pub(super) crawl: Option<Crawl>,
    linked: HashedSet,
    /// Maps a URL to its redirect target or canonical. A link to the URL is also a link to that target.
    leads: HashedMap<Key>,
}

impl Reached {
    pub(super) fn new<E: Evidence>(evidence: &E) -> Result<Self, E::Error> {
        let crawl = evidence.crawl()?;
        let starts = crawl.iter().flat_map(|crawl| &crawl.starts);
        Ok(Self { linked: starts.map(|start| key(start)).collect(), leads: HashedMap::default(), crawl })
    }

    /// Adds a page with content.
    pub(super) fn page(&mut self, page: Key, record: &PageRecord, facts: &PageFacts) {
        if self.crawl.is_none() {
            return;
        }
        self.redirect(page, record);
        if let Some((canonical, _)) = Named::of(facts, page).elsewhere {
            self.leads.insert(page, canonical);
        }
        self.linked.extend(of_page(facts).map(|(_, url)| key(url)).filter(|target| *target != page));
    }

    /// Adds a page without content.
    pub(super) fn redirect(&mut self, page: Key, record: &PageRecord) {
        let visit = &record.visit;
        if self.crawl.is_some() && !visit.hops.is_empty() {
            let last = key(visit.last_url());
            if last != page {
                self.leads.insert(page, last);
            }
        }
    }

    /// Reads the links, once all pages have been added.
    pub(super) fn follow<E: Evidence>(&mut self, evidence: &E) -> Result<(), E::Error> {
        if self.crawl.is_none() {
            return Ok(());
        }
        let linked = &mut self.linked;
        let mut page = (String::new(), key(""));
        // Pages share their navigation links. Remembering recent links avoids looking these up in the large set over
        // and over.
        let mut recent = vec![None; RECENT];
        evidence.links(&mut |from, to| {
            if page.0 != from {
                page = (from.to_owned(), key(from));
            }
            let to = key(to);
            let place = &mut recent[place(to)];
            if page.1 != to && *place != Some(to) {
                *place = Some(to);
                linked.insert(to);
            }
        })?;
        let mut next: Vec<Key> =
            self.linked.iter().filter_map(|page| self.leads.get(page)).copied().collect();
        while let Some(page) = next.pop() {
            if self.linked.insert(page) {
                next.extend(self.leads.get(&page));
            }
        }
        Ok(())
    }

    /// Returns whether a page is linked, or `None` if there was no crawl.
    pub(super) fn is_linked(&self, page: Key) -> Option<bool> {
        self.crawl.as_ref().map(|_| self.linked.contains(&page))
    }

    /// Returns whether a sitemap could list this unlisted page: it is HTML and responded at its own URL. If a complete
    /// crawl didn't reach the page, returns `false`.
    pub(super) fn is_candidate(&self, record: &PageRecord, facts: &PageFacts) -> bool {
        let is_complete = self.incomplete().is_none();
        let began = self.crawl.as_ref().and_then(|crawl| crawl.began).filter(|_| is_complete);
        facts.is_html
            && record.visit.hops.is_empty()
            && matches!(record.visit.outcome, Outcome::Page { .. } | Outcome::NotModified(_))
            && began.is_none_or(|began| record.visit.at >= began)
    }

    /// Returns whether the crawl is too old to say if a listed page is linked, or if an unlisted page still exists.
    pub(super) fn is_doubtful(&self, record: &PageRecord, is_listed: bool) -> bool {
        let Some(crawl) = &self.crawl else { return false };
        if is_listed {
            crawl.ended_by.zip(record.first_seen).is_some_and(|(ended_by, first)| first >= ended_by)
        } else {
            crawl.holds_from.is_some_and(|from| record.visit.at < from)
        }
    }

    /// Returns the reason why the crawl is incomplete.
    pub(super) fn incomplete(&self) -> Option<&str> {
        self.crawl.as_ref()?.incomplete.as_deref()
    }
}

/// Returns the fault of a listed page that no page links to. `copy` is a linked page with the same main content.
pub(super) fn orphan(copy: Option<&str>) -> Fault {
    let message = "no crawled page links to the page";
    match copy {
        Some(copy) => Fault::new(
            Rule::PageOrphan,
            format!("{message}, but to {}, which has the same main content", quoted(copy)),
        ),
        None => Fault::new(Rule::PageOrphan, message),
    }
}

/// Returns the fault of an unlisted page.
pub(super) fn unlisted(url: &str) -> Fault {
    Fault::new(
        Rule::PageUnlisted,
        format!("the page {} is linked and can be indexed, but is not listed", quoted(url)),
    )
}

/// Returns the note about an incomplete crawl.
pub(super) fn inconclusive(why: &str, orphans: u64, unlisted: u64) -> Fault {
    let message = format!(
        "the crawl is not complete ({}), so these numbers are inconclusive: pages listed but not linked {orphans}, pages \
         linked but not listed {unlisted}",
        plain(why)
    );
    Fault::new(Rule::PageCrawlIncomplete, message)
}

/// Returns the note about a crawl that is older than the last visits to the listed pages.
pub(super) fn outdated(began: Option<SystemTime>, orphans: u64, unlisted: u64) -> Fault {
    let of = began.map(|began| format!(" is of {} and", day(began))).unwrap_or_default();
    let message = format!(
        "the crawl{of} is older than the visits of the listed pages, so these numbers are inconclusive: new pages listed \
         but not linked {orphans}, pages linked but not listed {unlisted}"
    );
    Fault::new(Rule::PageCrawlIncomplete, message)
}
