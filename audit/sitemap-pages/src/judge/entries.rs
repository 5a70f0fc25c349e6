//! The statements in a set's entries, as numbers, so that they can be compared with their pages in any order.

use std::time::{SystemTime, UNIX_EPOCH};

use sitemap_core::LastMod;

use super::evidence::{Evidence, Listed};
use super::page_numbers::Numbers;
use super::standing::Standing;
use super::url_key::key;
use super::versions::of_page;
use crate::content::HashedMap;
use crate::content::hash64;
use crate::facts::PageFacts;
use crate::urls::without_fragment;

/// The first entry of each listed page. [`Numbers`] starts with the same pages, in the same order.
#[derive(Debug, Default)]
pub(super) struct Entries {
    list: Vec<Entry>,
    /// The indices of entries whose URL is not in normal form, keyed by the hashes of their URLs.
    others: HashedMap<usize>,
}

/// What a single entry states.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) lastmod: Option<LastMod>,
    /// A number that represents the alternates. Different sets of alternates have different numbers.
    alternates: Option<u64>,
    has_read_time: bool,
    /// Whether the hash of the URL equals the page's key.
    is_normal: bool,
}

/// Whether a page's language versions are named by the page or by its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Versions {
    /// The page names at least the versions that its entry names.
    OfPage,
    /// Only the entry names versions, or it names different ones than the page.
    OfEntry,
}

impl Entries {
    /// Reads all entries and adds their pages to `pages`.
    pub(super) fn of<E: Evidence>(evidence: &E, pages: &mut Numbers) -> Result<Self, E::Error> {
        let mut entries = Self::default();
        evidence.entries(&mut |listed| {
            entries.add(listed, pages);
            Ok(())
        })?;
        Ok(entries)
    }

    fn add(&mut self, listed: &Listed, pages: &mut Numbers) {
        let page = key(&listed.loc);
        let place = pages.add(page);
        if place < self.list.len() {
            return;
        }
        let numbers = pages.at_mut(place);
        (numbers.is_listed, numbers.standing) = (true, Some(Standing::Unknown));
        let hash = hash64(without_fragment(&listed.loc).as_bytes());
        if hash != page {
            self.others.insert(hash, place);
        }
        let alternates = listed.alternates.iter().map(|(language, url)| (&**language, &**url));
        self.list.push(Entry {
            lastmod: listed.lastmod,
            alternates: number(alternates),
            has_read_time: listed.read_at.is_some(),
            is_normal: hash == page,
        });
    }

    /// Returns the index of the page that is listed with exactly this URL.
    pub(super) fn place(&self, url: &str, pages: &Numbers) -> Option<usize> {
        let hash = hash64(url.as_bytes());
        if let Some(place) = self.others.get(&hash) {
            return Some(*place);
        }
        pages.place(hash).filter(|&place| self.list.get(place).is_some_and(|entry| entry.is_normal))
    }

    pub(super) fn at(&self, place: usize) -> &Entry {
        &self.list[place]
    }
}

impl Entry {
    /// Returns a lower bound for the time when the entry was read.
    pub(super) fn read_at(&self) -> Option<SystemTime> {
        self.has_read_time.then_some(UNIX_EPOCH)
    }

    /// Compares the versions named by the entry with those named by its page.
    pub(super) fn versions(&self, facts: &PageFacts) -> Versions {
        let Some(entry) = self.alternates else { return Versions::OfPage };
        let own = of_page(facts).map(|(version, url)| (&*version.language, url));
        if number(own) == Some(entry) { Versions::OfPage } else { Versions::OfEntry }
    }
}

/// Returns a number for a set of languages and URLs, independent of their order, or `None` if the set is empty. Naming
/// a version twice changes the number.
fn number<'a>(versions: impl Iterator<Item = (&'a str, &'a str)>) -> Option<u64> {
    let mut bytes = Vec::new();
    let one = |(language, url): (&str, &str)| {
        bytes.clear();
        bytes.extend_from_slice(&key(url).to_le_bytes());
        bytes.extend(language.bytes().map(|byte| byte.to_ascii_lowercase()));
        hash64(&bytes)
    };
    versions.map(one).reduce(u64::wrapping_add)
}
