//! Judges one listed page.

use std::collections::HashMap;
use std::num::NonZeroU64;

use sitemap_read::{Rule, quoted};

use super::canonical::{self, Named};
use super::evidence::{Listed, PageRecord};
use super::fault::{Fault, plain};
use super::overview::{Host, Overview};
use super::standing::Standing;
use super::url_key::{Key, key};
use super::{content, crawl, lastmod, versions};
use crate::facts::PageFacts;
use crate::urls::written_origin;
use crate::visit::{Blocked, FailureKind, Outcome};

/// Findings already reported for earlier pages of the set.
#[derive(Debug)]
pub(super) struct Said {
    /// The word for the pages in messages: `listed` or `crawled`.
    pages_are: &'static str,
    /// The hosts that already have a finding for all their pages, by rule.
    hosts: std::collections::BTreeSet<(Rule, String)>,
    /// The first page with each content that several pages share.
    first: HashMap<NonZeroU64, String>,
}

/// Judges an entry's page. The first obstacle hides later ones.
pub(super) fn judge(
    listed: &Listed,
    record: &PageRecord,
    overview: &Overview,
    said: &mut Said,
) -> Vec<Fault> {
    let page = key(&listed.loc);
    match overview.obstacle(page, record) {
        Err(obstacle) => {
            let host = written_origin(&listed.loc);
            let fault = match (obstacle.standing, obstacle.fault) {
                (Standing::Noindex, Some(fault)) => {
                    overview.hosts.get(host).map_or(Some(fault.clone()), |known| {
                        if known.is_noindex() { said.everywhere(host, *known, &fault) } else { Some(fault) }
                    })
                }
                (_, Some(fault)) => Some(fault),
                (_, None) => {
                    said.not_requested(host, overview.hosts.get(host).copied().unwrap_or_default(), record)
                }
            };
            fault.into_iter().collect()
        }
        Ok((facts, indexing)) => {
            let mut faults: Vec<Fault> = indexing.fault.into_iter().collect();
            faults.extend(content::refresh(facts, page));
            let named = Named::of(facts, page);
            faults.extend(named.faults);
            if let Some((target, canonical)) = named.elsewhere {
                faults.push(elsewhere(canonical, target, &listed.loc, overview));
            } else {
                indexable(listed, page, record, facts, overview, said, &mut faults);
            }
            faults
        }
    }
}

fn elsewhere(canonical: &crate::facts::Canonical, target: Key, page: &str, overview: &Overview) -> Fault {
    let message = canonical::elsewhere(canonical, page);
    match overview.standing(target) {
        None | Some(Standing::Indexable | Standing::Unknown) => {
            Fault::new(Rule::PageCanonicalElsewhere, message)
        }
        Some(standing) => {
            let message = format!("{message}, which cannot be indexed ({standing})");
            Fault::new(Rule::PageCanonicalBroken, message).because_of(vec![target])
        }
    }
}

fn indexable(
    listed: &Listed,
    page: Key,
    record: &PageRecord,
    facts: &PageFacts,
    overview: &Overview,
    said: &mut Said,
    faults: &mut Vec<Fault>,
) {
    faults.extend(content::emptiness(facts));
    let numbers = overview.pages.get(page);
    let content = numbers.and_then(|page| page.content).filter(|&content| overview.is_twin(content));
    faults.extend(content.and_then(|content| said.twin(content, listed, page, facts)));
    if !overview.pending.is_over {
        faults.extend(versions::judge(listed, page, facts, &overview.pending, |target| {
            overview.standing(target)
        }));
    }
    faults.extend(lastmod::judge(listed.lastmod, listed.read_at, record, facts));
    if let Some(orphan) = numbers.filter(|page| overview.is_orphan(page)) {
        faults.push(crawl::orphan(overview.linked_copy(orphan)));
    }
}

impl Said {
    pub(super) fn new(pages_are: &'static str) -> Self {
        Self { pages_are, hosts: std::collections::BTreeSet::new(), first: HashMap::new() }
    }

    /// Returns a single finding for all `noindex` pages of a host.
    fn everywhere(&mut self, host: &str, known: Host, first: &Fault) -> Option<Fault> {
        let message = format!(
            "{} of {} {} pages of {} ask search engines not to index them; first, {}",
            known.noindex,
            known.pages,
            self.pages_are,
            quoted(host),
            first.message
        );
        self.once(Rule::PageNoindexEverywhere, host, message)
    }

    /// Returns a single finding for all pages of a host that were not requested.
    fn not_requested(&mut self, host: &str, known: Host, record: &PageRecord) -> Option<Fault> {
        let are = self.pages_are;
        let pages = |count| {
            if count == 1 { format!("1 {are} page was") } else { format!("{count} {are} pages were") }
        };
        let name = quoted(host);
        match &record.visit.outcome {
            Outcome::Blocked(Blocked::Unreachable { why }) => {
                let (pages, why) = (pages(known.unreachable), plain(why));
                let message =
                    format!("the robots.txt of {name} cannot be fetched ({why}), so {pages} not fetched");
                self.once(Rule::PageRobotsUnreachable, host, message)
            }
            Outcome::Failed(failure) if failure.kind == FailureKind::GivenUp => {
                let why = failure.message.split(';').next().unwrap_or_default();
                let (pages, why) = (pages(known.given_up), plain(why));
                self.once(
                    Rule::PageThrottled,
                    host,
                    format!("{pages} not requested from {name}, because {why}"),
                )
            }
            _ => None,
        }
    }

    fn once(&mut self, rule: Rule, host: &str, message: String) -> Option<Fault> {
        self.hosts.insert((rule, host.to_owned())).then(|| Fault::new(rule, message))
    }

    /// Returns the finding for a page with the same content as an earlier one. Language versions may share their
    /// content.
    fn twin(&mut self, content: NonZeroU64, listed: &Listed, page: Key, facts: &PageFacts) -> Option<Fault> {
        let Some(first) = self.first.get(&content) else {
            self.first.insert(content, listed.loc.clone());
            return None;
        };
        let first_key = key(first);
        let mut named = versions::of_page(facts).map(|(_, url)| key(url));
        let mut entry = listed.alternates.iter().map(|(_, url)| key(url));
        if first_key == page || named.any(|url| url == first_key) || entry.any(|url| url == first_key) {
            return None;
        }
        Some(Fault::new(
            Rule::PageDuplicate,
            format!("the page has the same main content as {}", quoted(first)),
        ))
    }
}
