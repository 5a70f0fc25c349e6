//! The model: a map of the published pages, and the operations that may change it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use sitemap_core::publish::files::{FEED, is_recent_file};
use sitemap_read::SitemapReader;

use crate::disk::Disk;

/// The pages of a set and their dates.
pub(crate) type Pages = BTreeMap<String, Option<String>>;

pub(crate) const SITE: &str = "https://example.com";
pub(crate) const ENTRY_POINT: &str = "sitemap.xml";

/// The pages or files that an operation changes.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// The new dates of pages, or `None` for removed pages, and whether the recent section repeats these pages.
    Pages(BTreeMap<String, Option<String>>, bool),
    /// All pages whose URL starts with this prefix are replaced.
    Section(&'static str, Pages),
    /// A section's files change, but its pages don't.
    Files,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The operation is still running, or its result is unknown.
    Open,
    Acknowledged,
    Refused,
}

#[derive(Debug)]
struct Operation {
    change: Change,
    state: State,
    is_applied: bool,
}

/// The set that should be published after the operations so far.
#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) pages: Arc<Pages>,
    /// The number of times the entry point was replaced.
    pub(crate) switches: u64,
    operations: Vec<Operation>,
    /// The names of the child sitemaps.
    listed: BTreeSet<String>,
    /// The pages that updates changed. The feed is large enough to list all of them.
    in_feed: BTreeSet<String>,
    /// True if an update made the last switch.
    is_update: bool,
    /// False until the first set is published.
    is_started: bool,
}

/// The result of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The operation changed nothing, and never will.
    Refused,
    /// The operation was refused because the manifest does not describe the set, so all pages must be published again.
    NeedsAll,
    Unknown,
}

impl Change {
    fn apply(&self, pages: &Pages) -> Pages {
        let mut pages = pages.clone();
        match self {
            Self::Pages(changes, _) => {
                for (url, date) in changes {
                    match date {
                        Some(date) => pages.insert(url.clone(), Some(date.clone())),
                        None => pages.remove(url),
                    };
                }
            }
            Self::Section(start, new) => {
                pages.retain(|url, _| !url.starts_with(start));
                pages.extend(new.clone());
            }
            Self::Files => {}
        }
        pages
    }

    /// Checks the contents of the recent section after this change.
    fn check_repeats(&self, repeats: &Pages) -> Result<(), String> {
        match self {
            Self::Pages(changes, true) => {
                let mut upserted = changes.iter().filter(|(_, date)| date.is_some());
                match upserted.find(|(url, date)| repeats.get(*url) != Some(date)) {
                    Some((url, _)) => Err(format!("the recent section lacks {url}")),
                    None => Ok(()),
                }
            }
            _ if repeats.is_empty() => Ok(()),
            _ => Err(format!("the recent section is out of date: {repeats:?}")),
        }
    }
}

impl Model {
    /// Creates the model for the set in this storage.
    pub(crate) fn new(disk: &Disk) -> Result<Self, String> {
        let Crawled { pages, listed, .. } = crawl(disk)?;
        Ok(Self { pages: Arc::new(pages), listed, is_started: true, ..Self::default() })
    }

    /// Registers a new operation, and returns its number.
    pub(crate) fn begin(&mut self, change: Change) -> usize {
        self.operations.push(Operation { change, state: State::Open, is_applied: false });
        self.operations.len() - 1
    }

    /// Checks an operation's result against what it actually did.
    pub(crate) fn end(&mut self, number: usize, outcome: Outcome) -> Result<(), String> {
        let operation = &mut self.operations[number];
        let changes_pages = !matches!(operation.change, Change::Files);
        match outcome {
            Outcome::Unknown => return Ok(()),
            Outcome::Done if changes_pages && !operation.is_applied => {
                return Err(format!("operation {number} reports success, but was not applied"));
            }
            Outcome::Refused | Outcome::NeedsAll if operation.is_applied => {
                return Err(format!("operation {number} reports a refusal, but was applied"));
            }
            Outcome::Done => operation.state = State::Acknowledged,
            Outcome::Refused | Outcome::NeedsAll => operation.state = State::Refused,
        }
        Ok(())
    }

    /// Checks the set after files have changed.
    pub(crate) fn check(&mut self, disk: &Disk, changed: &[&str]) -> Result<(), String> {
        if !self.is_started {
            return Ok(());
        }
        if changed.contains(&ENTRY_POINT) {
            let Crawled { pages, listed, repeats } = crawl(disk)?;
            self.listed = listed;
            let before = Arc::clone(&self.pages);
            self.switch(pages, &repeats)?;
            return self.check_feed(disk, &before);
        }
        if !changed.iter().any(|name| self.listed.contains(*name)) {
            return Ok(());
        }
        let Crawled { pages, .. } = crawl(disk)?;
        if pages == *self.pages { Ok(()) } else { Err(format!("a listed file has changed: {changed:?}")) }
    }

    /// Finds the operation that turned the last set into this one.
    fn switch(&mut self, pages: Pages, repeats: &Pages) -> Result<(), String> {
        self.switches += 1;
        self.is_update = false;
        if pages == *self.pages {
            return Ok(());
        }
        let may_apply = |operation: &Operation| operation.state == State::Open && !operation.is_applied;
        let leads_here = |operation: &&mut Operation| operation.change.apply(&self.pages) == pages;
        match self.operations.iter_mut().filter(|operation| may_apply(operation)).find(leads_here) {
            Some(operation) => {
                operation.is_applied = true;
                self.is_update = matches!(operation.change, Change::Pages(..));
                self.pages = Arc::new(pages);
                operation.change.check_repeats(repeats)
            }
            None => Err(self.explain(&pages)),
        }
    }

    /// Checks that the feed lists the pages that an update changed.
    fn check_feed(&mut self, disk: &Disk, before: &Pages) -> Result<(), String> {
        let urls: BTreeSet<&String> = before.keys().chain(self.pages.keys()).collect();
        let changed = urls.into_iter().filter(|url| before.get(*url) != self.pages.get(*url));
        if self.is_update {
            self.in_feed.extend(changed.cloned());
        }
        let feed = disk.bytes(FEED).unwrap_or_default();
        let feed = String::from_utf8_lossy(&feed);
        let is_listed = |url: &&String| {
            feed.contains(&format!("<id>{url}</id>")) || feed.contains(&format!("ref=\"{url}\""))
        };
        match self.in_feed.iter().find(|url| !is_listed(url)) {
            Some(url) => Err(format!("{url} has changed and is not in the feed")),
            None => Ok(()),
        }
    }

    fn explain(&self, pages: &Pages) -> String {
        let mut text =
            format!("no open operation leads to the published set: {}", difference(&self.pages, pages));
        for (number, Operation { change, state, is_applied }) in self.operations.iter().enumerate() {
            let missed = difference(&change.apply(&self.pages), pages);
            let is_applied = if *is_applied { "applied" } else { "not applied" };
            let _ =
                write!(text, "\n    operation {number} ({state:?}, {is_applied}) would differ in {missed}");
        }
        text
    }
}

/// Lists the differences between the pages of two sets.
fn difference(one: &Pages, other: &Pages) -> String {
    let of = |url: &String, pages: &Pages| match pages.get(url) {
        Some(Some(date)) => date.clone(),
        Some(None) => "no date".to_owned(),
        None => "not listed".to_owned(),
    };
    let urls: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let changed = urls.into_iter().filter(|url| one.get(*url) != other.get(*url));
    let lines: Vec<_> = changed
        .map(|url| format!("{}: {} -> {}", url.trim_start_matches(SITE), of(url, one), of(url, other)))
        .collect();
    if lines.is_empty() { "nothing".to_owned() } else { lines.join(", ") }
}

/// The set as a crawler finds it.
#[derive(Debug, Default)]
pub(crate) struct Crawled {
    pub(crate) pages: Pages,
    /// The names of the child sitemaps.
    listed: BTreeSet<String>,
    /// The entries of the recent section.
    repeats: Pages,
}

impl Crawled {
    /// Adds a child sitemap.
    pub(crate) fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let is_recent = is_recent_file(name);
        if is_recent && self.listed.iter().any(|name| is_recent_file(name)) {
            return Err(format!("`{name}` is a second file of the recent section"));
        }
        self.listed.insert(name.to_owned());
        add_pages(bytes, if is_recent { &mut self.repeats } else { &mut self.pages })
    }

    /// Checks that the recent section repeats the entries of other files.
    pub(crate) fn check(self) -> Result<Self, String> {
        match self.repeats.iter().find(|(url, date)| self.pages.get(*url) != Some(date)) {
            Some((url, date)) => Err(format!("{url} has the date {date:?} in the recent section only")),
            None => Ok(self),
        }
    }
}

/// Reads the set as a crawler does, but without any time passing.
fn crawl(disk: &Disk) -> Result<Crawled, String> {
    let index = disk.bytes(ENTRY_POINT).ok_or("the entry point is missing")?;
    let mut crawled = Crawled::default();
    for name in children(&index)? {
        let bytes = disk.bytes(&name).ok_or_else(|| format!("`{name}` is listed and missing"))?;
        crawled.add(&name, &bytes)?;
    }
    crawled.check()
}

/// Returns the names of the child sitemaps in an index.
pub(crate) fn children(index: &[u8]) -> Result<Vec<String>, String> {
    let (mut names, mut reader) = (Vec::new(), SitemapReader::from_slice(index));
    while let Some(item) = reader.next().map_err(|error| format!("the index cannot be read: {error}"))? {
        let name = item.loc().as_str().rsplit('/').next().unwrap_or_default();
        names.push(name.to_owned());
    }
    Ok(names)
}

/// Adds the pages of a child sitemap.
fn add_pages(bytes: &[u8], pages: &mut Pages) -> Result<(), String> {
    for entry in SitemapReader::from_slice(bytes).into_entries() {
        let entry = entry.map_err(|error| format!("a child sitemap cannot be read: {error}"))?;
        let date = entry.lastmod().map(|date| date.to_string());
        if pages.insert(entry.loc().to_string(), date).is_some() {
            return Err(format!("{} is listed twice", entry.loc()));
        }
    }
    Ok(())
}
