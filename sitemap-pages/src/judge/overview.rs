//! What a judgement must know of all pages before it judges one: a number or two for each.

use std::collections::HashMap;

use crate::content::{Block, Folder, SharedBlocks, hash64};
use crate::facts::PageFacts;

use super::answer;
use super::canonical::Named;
use super::crawl::Reached;
use super::evidence::{Evidence, Listed, PageRecord};
use super::fault::Obstacle;
use super::noindex::Indexing;
use super::options::JudgeOptions;
use super::same::{ByKey, Key, Keys, key, origin};
use super::soft404::{Like, Probes};
use super::standing::Standing;
use super::versions::Pending;
use crate::visit::{Blocked, FailureKind, Outcome};

/// What is known of all pages.
#[derive(Debug)]
pub(super) struct Overview {
    standings: ByKey<Standing>,
    probes: Probes,
    /// A number for the main content of each page with blocks.
    digests: ByKey<u64>,
    /// The pages that are like a probe.
    likes: ByKey<Like>,
    pub(super) pending: Pending,
    pub(super) hosts: HashMap<String, Host>,
    /// The contents that several listed pages have.
    twins: Keys,
    /// All contents of listed pages, sorted.
    contents: Vec<u64>,
    pub(super) reached: Reached,
}

/// What is known of one host.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Host {
    /// The number of listed pages that answer and are HTML.
    pub(super) pages: u64,
    /// The number of those that no search engine may index.
    pub(super) noindex: u64,
    /// The number of listed pages that were not fetched because robots.txt was not.
    pub(super) unreachable: u64,
    /// The number of listed pages that were not requested because the host asks for a long pause.
    pub(super) given_up: u64,
}

impl Host {
    /// Returns whether so many pages are not to be indexed that it looks like a mistake in one place.
    pub(super) fn is_noindex(&self) -> bool {
        self.pages >= 10 && self.noindex * 5 >= self.pages * 4
    }
}

impl Overview {
    /// Goes over the evidence once, and four times or more over the blocks.
    pub(super) fn of<E: Evidence>(evidence: &E, options: &JudgeOptions) -> Result<Self, E::Error> {
        let mut overview = Self {
            standings: ByKey::default(),
            probes: Probes::of(evidence)?,
            digests: ByKey::default(),
            likes: ByKey::default(),
            pending: Pending::new(options.max_pending_links),
            hosts: HashMap::new(),
            twins: Keys::default(),
            contents: Vec::new(),
            reached: Reached::new(evidence)?,
        };
        overview.read_contents(evidence)?;
        let mut visited = Keys::default();
        evidence.listed(&mut |listed, record| {
            visited.extend(record.map(|record| hash64(record.visit.url.as_bytes())));
            overview.listed(listed, record);
        })?;
        if evidence.page_count() != Some(visited.len() as u64) {
            evidence.unlisted(&mut |record| overview.unlisted(record))?;
        }
        overview.reached.follow(evidence)?;
        overview.contents.sort_unstable();
        overview.twins =
            overview.contents.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
        overview.contents.dedup();
        Ok(overview)
    }

    /// Finds the blocks that pages share, and then compares the contents without them.
    fn read_contents<E: Evidence>(&mut self, evidence: &E) -> Result<(), E::Error> {
        let shared = SharedBlocks::try_count(|each: &mut dyn FnMut(Folder, &[Block])| {
            evidence.blocks(&mut |url, blocks| each(Folder::of(url), blocks))
        })?;
        evidence.blocks(&mut |url, blocks| {
            let page = key(url);
            let digest = shared.digest(blocks, Folder::of(url)).to_bytes();
            if let Some((half, _)) = digest.split_first_chunk::<8>() {
                self.digests.insert(page, u64::from_le_bytes(*half));
            }
            if let Some(like) = self.probes.like(url, blocks, &shared) {
                self.likes.insert(page, like);
            }
        })
    }

    fn listed(&mut self, listed: &Listed, record: Option<&PageRecord>) {
        let page = key(&listed.loc);
        let (standing, facts) = self.stand(page, record);
        if self.standings.insert(page, standing).is_some() {
            return;
        }
        let origin = origin(&listed.loc);
        let host = match self.hosts.get_mut(origin) {
            Some(host) => host,
            None => self.hosts.entry(origin.to_owned()).or_default(),
        };
        let outcome = record.map(|record| &record.visit.outcome);
        match outcome {
            Some(Outcome::Blocked(Blocked::Unreachable { .. })) => host.unreachable += 1,
            Some(Outcome::Failed(failure)) if failure.kind == FailureKind::GivenUp => host.given_up += 1,
            _ => {}
        }
        host.noindex += u64::from(standing == Standing::Noindex);
        let is_page = matches!(standing, Standing::Indexable | Standing::Canonicalised | Standing::Noindex);
        host.pages += u64::from(is_page);
        if let (Some(record), Some(facts)) = (record, facts) {
            if standing == Standing::Indexable {
                self.pending.add(page, Some(listed), facts);
                self.contents.extend(self.content(page, facts));
            }
            self.reached.page(page, record, facts);
        } else if let Some(record) = record {
            self.reached.redirect(page, record);
        }
    }

    fn unlisted(&mut self, record: &PageRecord) {
        let url = &record.visit.url;
        let page = key(url);
        if self.standings.contains_key(&page) {
            return;
        }
        let (standing, facts) = self.stand(page, Some(record));
        self.standings.insert(page, standing);
        match facts {
            Some(facts) => {
                if standing == Standing::Indexable {
                    self.pending.add(page, None, facts);
                }
                self.reached.page(page, record, facts);
            }
            None => self.reached.redirect(page, record),
        }
    }

    fn stand<'r>(&self, page: Key, record: Option<&'r PageRecord>) -> (Standing, Option<&'r PageFacts>) {
        let Some(record) = record else { return (Standing::Unknown, None) };
        match self.obstacle(page, record) {
            Err(obstacle) => (obstacle.standing, None),
            Ok((facts, _)) if Named::of(facts, page).elsewhere.is_some() => {
                (Standing::Canonicalised, Some(facts))
            }
            Ok((facts, _)) => (Standing::Indexable, Some(facts)),
        }
    }

    /// Returns the facts of a page that a search engine can read and may index, or the obstacle.
    pub(super) fn obstacle<'r>(
        &self,
        page: Key,
        record: &'r PageRecord,
    ) -> Result<(&'r PageFacts, Indexing), Obstacle> {
        let facts = answer::facts(record)?;
        let mut indexing = Indexing::of(facts, record.visit.at);
        if let Some(obstacle) = indexing.obstacle.take() {
            return Err(obstacle);
        }
        match self.likes.get(&page).and_then(|like| self.probes.confirm(*like, facts)) {
            Some(probe) => Err(super::soft404::obstacle(probe)),
            None => Ok((facts, indexing)),
        }
    }

    /// Returns the standing of a page that is listed or was visited.
    pub(super) fn standing(&self, page: Key) -> Option<Standing> {
        self.standings.get(&page).copied()
    }

    /// Returns a number for the main content of a page that can be indexed, or `None` if nothing can be said.
    pub(super) fn content(&self, page: Key, facts: &PageFacts) -> Option<u64> {
        let is_known = facts.is_html && !facts.is_empty_without_javascript;
        is_known.then(|| self.digests.get(&page).copied()).flatten()
    }

    /// Returns whether several listed pages have this content.
    pub(super) fn is_twin(&self, content: u64) -> bool {
        self.twins.contains(&content)
    }

    /// Returns whether a listed page has this content.
    pub(super) fn is_listed_content(&self, content: u64) -> bool {
        self.contents.binary_search(&content).is_ok()
    }
}
