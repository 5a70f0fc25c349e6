//! A few numbers about every page, which a judgement needs before it can judge any of them.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU64;

use super::answer_kind::Answer;
use super::canonical::Named;
use super::crawl::Reached;
use super::entries::{Entries, Versions};
use super::evidence::{Evidence, PageRecord};
use super::fault::Obstacle;
use super::noindex::Indexing;
use super::options::JudgeOptions;
use super::page_numbers::{Numbers, PageNumbers};
use super::soft404::{Like, Probes};
use super::standing::Standing;
use super::url_key::{Key, key};
use super::versions::{self, Pending, of_page};
use super::{content, lastmod, own_standing};
use crate::content::HashedMap;
use crate::content::{Block, Folder, SharedBlocks};
use crate::facts::PageFacts;
use crate::urls::without_fragment;
use crate::urls::written_origin;
use crate::visit::{Blocked, FailureKind, Outcome};

/// What is known about all pages.
#[derive(Debug)]
pub(super) struct Overview {
    pub(super) pages: Numbers,
    probes: Probes,
    /// The pages that resemble a probe.
    likes: HashedMap<Like>,
    pub(super) pending: Pending,
    pub(super) hosts: HashMap<String, Host>,
    /// The contents shared by several listed pages, sorted.
    twins: Vec<NonZeroU64>,
    /// All contents of listed pages, sorted.
    contents: Vec<NonZeroU64>,
    /// For each content of a listed page without incoming links, the first linked page with the same content.
    linked_copies: HashMap<NonZeroU64, String>,
    pub(super) reached: Reached,
}

/// What is known about a host.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Host {
    /// The number of listed HTML pages that respond.
    pub(super) pages: u64,
    /// The number of those pages that no search engine may index.
    pub(super) noindex: u64,
    /// The number of listed pages that were not fetched because robots.txt could not be fetched.
    pub(super) unreachable: u64,
    /// The number of listed pages that were not requested because the host asks for a long pause.
    pub(super) given_up: u64,
}

impl Host {
    /// Returns whether so many pages are `noindex` that it looks like a single mistake.
    pub(super) fn is_noindex(&self) -> bool {
        self.pages >= 10 && self.noindex * 5 >= self.pages * 4
    }
}

impl Overview {
    /// Reads the entries and the pages once. Also reads the blocks once, if the shared blocks are known.
    pub(super) fn of<E: Evidence>(evidence: &E, options: &JudgeOptions) -> Result<Self, E::Error> {
        let mut overview = Self {
            pages: Numbers::default(),
            probes: Probes::of(evidence)?,
            likes: HashedMap::default(),
            pending: Pending::new(options.max_pending_links),
            hosts: HashMap::new(),
            twins: Vec::new(),
            contents: Vec::new(),
            linked_copies: HashMap::new(),
            reached: Reached::new(evidence)?,
        };
        let entries = Entries::of(evidence, &mut overview.pages)?;
        overview.read_contents(evidence)?;
        let mut late = Vec::new();
        evidence.pages(&mut |record| overview.page(record, &entries, &mut late))?;
        late.sort_unstable();
        overview.add_late(evidence, &late)?;
        drop(entries);
        overview.reached.follow(evidence)?;
        overview.compare_contents();
        overview.find_linked_copies(evidence)?;
        Ok(overview)
    }

    /// Compares the pages' contents without their shared blocks.
    fn read_contents<E: Evidence>(&mut self, evidence: &E) -> Result<(), E::Error> {
        let shared = match evidence.shared_blocks()? {
            Some(shared) => shared,
            None => SharedBlocks::try_count(|each: &mut dyn FnMut(Folder, &[Block])| {
                evidence.blocks(&mut |url, blocks| each(Folder::of(url), blocks))
            })?,
        };
        evidence.blocks(&mut |url, blocks| {
            let page = key(url);
            let digest = shared.digest(blocks, Folder::of(url)).to_bytes();
            let place = self.pages.add(page);
            let half = digest.first_chunk().map_or(0, |half| u64::from_le_bytes(*half));
            self.pages.at_mut(place).content = Some(NonZeroU64::new(half).unwrap_or(NonZeroU64::MIN));
            if let Some(like) = self.probes.like(url, blocks, &shared) {
                self.likes.insert(page, like);
            }
        })
    }

    /// Adds a page's record. `late` collects the pages whose entries name language versions that the pages themselves
    /// don't name.
    fn page(&mut self, record: &PageRecord, entries: &Entries, late: &mut Vec<usize>) {
        let url = &record.visit.url;
        let listed = entries.place(url, &self.pages);
        let place = match listed {
            Some(place) => place,
            None => self.pages.add(key(url)),
        };
        let numbers = self.pages.at_mut(place);
        // This URL is another spelling of one that is already known.
        if listed.is_none() && (numbers.is_listed || numbers.is_visited) {
            return;
        }
        let page = numbers.key;
        numbers.is_visited = true;
        numbers.answer = Answer::of(record);
        if record.unchanged_until.is_some() {
            numbers.changed = record.content_since;
        }
        if let Some(facts) = record.facts() {
            numbers.is_cut = facts.is_cut;
            if !facts.is_html || facts.is_empty_without_javascript {
                numbers.content = None;
            }
        }
        let found = self.find(page, record);
        let standing = match &found {
            Err(obstacle) => obstacle.standing,
            Ok((_, _, named)) if named.elsewhere.is_some() => Standing::Canonicalised,
            Ok(_) => Standing::Indexable,
        };
        self.pages.at_mut(place).standing = Some(standing);
        if listed.is_some() {
            self.count_host(standing, record);
        }
        let Ok((facts, indexing, named)) = found else {
            self.reached.redirect(page, record);
            return;
        };
        if standing == Standing::Indexable {
            let entry = listed.map(|place| entries.at(place));
            let named_by = entry.map_or(Versions::OfPage, |entry| entry.versions(facts));
            match named_by {
                Versions::OfPage => {
                    self.pending.add(place, of_page(facts).map(|(_, url)| url), &mut self.pages);
                }
                Versions::OfEntry => late.push(place),
            }
            let date = entry.and_then(|entry| lastmod::judge(entry.lastmod, entry.read_at(), record, facts));
            let numbers = self.pages.at_mut(place);
            numbers.is_suspect = named_by == Versions::OfEntry
                || date.is_some()
                || indexing.fault.is_some()
                || !named.faults.is_empty()
                || content::refresh(facts, page).is_some()
                || content::emptiness(facts).is_some()
                || versions::lacks_itself(facts, page);
            numbers.has_versions = of_page(facts).next().is_some();
            numbers.is_candidate = listed.is_none() && self.reached.is_candidate(record, facts);
            numbers.is_doubtful = self.reached.is_doubtful(record, listed.is_some());
        }
        self.reached.page(page, record, facts);
    }

    fn count_host(&mut self, standing: Standing, record: &PageRecord) {
        let origin = written_origin(&record.visit.url);
        let host = match self.hosts.get_mut(origin) {
            Some(host) => host,
            None => self.hosts.entry(origin.to_owned()).or_default(),
        };
        match &record.visit.outcome {
            Outcome::Blocked(Blocked::Unreachable { .. }) => host.unreachable += 1,
            Outcome::Failed(failure) if failure.kind == FailureKind::GivenUp => host.given_up += 1,
            _ => {}
        }
        host.noindex += u64::from(standing == Standing::Noindex);
        let is_page = matches!(standing, Standing::Indexable | Standing::Canonicalised | Standing::Noindex);
        host.pages += u64::from(is_page);
    }

    /// Adds the versions that only the pages' entries name.
    fn add_late<E: Evidence>(&mut self, evidence: &E, late: &[usize]) -> Result<(), E::Error> {
        if late.is_empty() {
            return Ok(());
        }
        let mut next = 0;
        evidence.entries(&mut |entry| {
            // The first entry of each page, in index order.
            if self.pages.place(key(&entry.loc)) != Some(next) {
                return Ok(());
            }
            let place = next;
            next += 1;
            if late.binary_search(&place).is_ok() {
                let record = evidence.page(without_fragment(&entry.loc))?;
                let facts = record.as_ref().and_then(PageRecord::facts);
                let own = facts.into_iter().flat_map(of_page).map(|(_, url)| url);
                let links = own.chain(entry.alternates.iter().map(|(_, url)| &**url));
                self.pending.add(place, links, &mut self.pages);
            }
            Ok(())
        })
    }

    fn compare_contents(&mut self) {
        let is_listed = |page: &&PageNumbers| page.is_listed && page.standing == Some(Standing::Indexable);
        self.contents = self.pages.iter().filter(is_listed).filter_map(|page| page.content).collect();
        self.contents.sort_unstable();
        self.twins = self
            .contents
            .chunk_by(|one, other| one == other)
            .filter(|same| same.len() > 1)
            .map(|same| same[0])
            .collect();
    }

    /// Finds linked copies of listed pages without incoming links. Iterates over the pages once more, but only if there
    /// are such copies.
    fn find_linked_copies<E: Evidence>(&mut self, evidence: &E) -> Result<(), E::Error> {
        let contents_of = |is_wanted: &dyn Fn(&PageNumbers) -> bool| -> HashSet<NonZeroU64> {
            self.pages.iter().filter(|page| is_wanted(page)).filter_map(|page| page.content).collect()
        };
        let orphaned = contents_of(&|page| page.is_listed && self.is_orphan(page));
        if orphaned.is_empty() {
            return Ok(());
        }
        let is_copy = |page: &PageNumbers| {
            page.standing == Some(Standing::Indexable)
                && self.reached.is_linked(page.key) == Some(true)
                && page.content.is_some_and(|content| orphaned.contains(&content))
        };
        if contents_of(&is_copy).is_empty() {
            return Ok(());
        }
        let mut copies = HashMap::new();
        evidence.pages(&mut |record| {
            let url = &record.visit.url;
            if let Some(page) = self.pages.get(key(url)).filter(|page| is_copy(page))
                && let Some(content) = page.content
            {
                copies.entry(content).or_insert_with(|| url.clone());
            }
        })?;
        self.linked_copies = copies;
        Ok(())
    }

    /// Returns whether a page can be indexed, but no page links to it according to a complete crawl that is recent
    /// enough.
    pub(super) fn is_orphan(&self, page: &PageNumbers) -> bool {
        page.standing == Some(Standing::Indexable)
            && self.reached.incomplete().is_none()
            && !page.is_doubtful
            && self.reached.is_linked(page.key) == Some(false)
    }

    /// Returns the first linked page with the same main content as a listed page without incoming links.
    pub(super) fn linked_copy(&self, page: &PageNumbers) -> Option<&str> {
        self.linked_copies.get(&page.content?).map(String::as_str)
    }

    /// Returns the facts of a page that can be indexed or names another canonical, or the obstacle.
    fn find<'r>(
        &self,
        page: Key,
        record: &'r PageRecord,
    ) -> Result<(&'r PageFacts, Indexing, Named<'r>), Obstacle> {
        let (facts, indexing) = self.obstacle(page, record)?;
        Ok((facts, indexing, Named::of(facts, page)))
    }

    /// Returns the facts of a page that search engines can read and may index, or the obstacle.
    pub(super) fn obstacle<'r>(
        &self,
        page: Key,
        record: &'r PageRecord,
    ) -> Result<(&'r PageFacts, Indexing), Obstacle> {
        let (facts, indexing) = own_standing::facts(record)?;
        let like = self.likes.get(&page).and_then(|like| self.probes.confirm(*like, facts));
        match like.or_else(|| self.probes.same_body(&record.visit.url, facts)) {
            Some(probe) => Err(super::soft404::obstacle(probe)),
            None => Ok((facts, indexing)),
        }
    }

    /// Returns the standing of a page that is listed or was visited.
    pub(super) fn standing(&self, page: Key) -> Option<Standing> {
        self.pages.get(page)?.standing
    }

    /// Returns whether a page may have a fault and therefore has to be judged in full.
    pub(super) fn is_suspect(&self, page: &PageNumbers) -> bool {
        if page.standing != Some(Standing::Indexable) {
            return page.is_visited;
        }
        page.is_suspect
            || page.one_way > 0
            || page.content.is_some_and(|content| self.is_twin(content))
            || self.is_orphan(page)
    }

    /// Returns whether several listed pages have this content.
    pub(super) fn is_twin(&self, content: NonZeroU64) -> bool {
        self.twins.binary_search(&content).is_ok()
    }

    /// Returns whether a listed page has this content.
    pub(super) fn is_listed_content(&self, content: NonZeroU64) -> bool {
        self.contents.binary_search(&content).is_ok()
    }

    /// Returns whether a page is linked, can be indexed, and should be listed.
    pub(super) fn is_missing(&self, page: &PageNumbers) -> bool {
        page.is_candidate
            && self.reached.is_linked(page.key) == Some(true)
            // A copy of a listed page, for example with its items in another order, doesn't have to be listed.
            && !page.content.is_some_and(|content| self.is_listed_content(content))
    }
}
