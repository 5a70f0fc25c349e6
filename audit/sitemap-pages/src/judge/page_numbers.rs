//! The few numbers that a judgement keeps for each page.

use std::num::NonZeroU64;
use std::time::SystemTime;

use super::answer_kind::Answer;
use super::standing::Standing;
use super::url_key::Key;

/// What is known about a page that is listed, was visited, or has content.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct PageNumbers {
    pub(super) key: Key,
    /// A number that represents the main content.
    pub(super) content: Option<NonZeroU64>,
    /// When the content last changed.
    pub(super) changed: Option<SystemTime>,
    /// The number of this page's links to language versions that don't link back.
    pub(super) one_way: u32,
    pub(super) answer: Answer,
    /// The page's standing, or `None` if it is neither listed nor visited.
    pub(super) standing: Option<Standing>,
    pub(super) is_listed: bool,
    pub(super) is_visited: bool,
    pub(super) is_cut: bool,
    /// Whether the page, by itself or compared with its entry, may have a fault. If so, it is judged again using
    /// everything that is known.
    pub(super) is_suspect: bool,
    /// Whether a sitemap could list the page.
    pub(super) is_candidate: bool,
    /// Whether the crawl is too old to say if the page is linked or, for an unlisted page, if it still exists.
    pub(super) is_doubtful: bool,
    /// Whether the page names language versions.
    pub(super) has_versions: bool,
}

impl PageNumbers {
    fn new(key: Key) -> Self {
        Self {
            key,
            content: None,
            changed: None,
            one_way: 0,
            answer: Answer::Unvisited,
            standing: None,
            is_listed: false,
            is_visited: false,
            is_cut: false,
            is_suspect: false,
            is_candidate: false,
            is_doubtful: false,
            has_versions: false,
        }
    }
}

/// The numbers of all pages, which can be looked up by key.
///
/// The hash table contains only indices into the list of pages, so that a million pages take 60 MB.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    pages: Vec<PageNumbers>,
    /// The hash table. Each used slot contains the index of a page plus one. A page is stored in the first free slot,
    /// starting from the one that its key selects. The table's length is a power of two.
    index: Vec<u32>,
}

impl Numbers {
    /// Returns the index of a page, which never changes.
    pub(super) fn place(&self, key: Key) -> Option<usize> {
        if self.index.is_empty() {
            return None;
        }
        match self.index[self.find(key)] {
            0 => None,
            place => Some(place as usize - 1),
        }
    }

    /// Returns the index of a page, and adds the page if it is new.
    pub(super) fn add(&mut self, key: Key) -> usize {
        if self.pages.len() * 4 >= self.index.len() * 3 {
            self.grow();
        }
        let found = self.find(key);
        if self.index[found] == 0 {
            self.pages.push(PageNumbers::new(key));
            // More than four billion pages wouldn't fit in memory.
            self.index[found] = u32::try_from(self.pages.len()).unwrap_or(u32::MAX);
        }
        self.index[found] as usize - 1
    }

    pub(super) fn get(&self, key: Key) -> Option<&PageNumbers> {
        self.place(key).map(|place| &self.pages[place])
    }

    pub(super) fn at(&self, place: usize) -> &PageNumbers {
        &self.pages[place]
    }

    pub(super) fn at_mut(&mut self, place: usize) -> &mut PageNumbers {
        &mut self.pages[place]
    }

    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &PageNumbers> {
        self.pages.iter()
    }

    /// Returns the slot of a page in the hash table, or the free slot where it would be stored.
    #[expect(clippy::cast_possible_truncation, reason = "the low bits select a place")]
    fn find(&self, key: Key) -> usize {
        let mask = self.index.len() - 1;
        let mut at = key as usize & mask;
        loop {
            match self.index[at] {
                0 => return at,
                place if self.pages[place as usize - 1].key == key => return at,
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let len = (self.index.len() * 2).max(64);
        self.index = vec![0; len];
        for place in 0..self.pages.len() {
            let found = self.find(self.pages[place].key);
            self.index[found] = u32::try_from(place + 1).unwrap_or(u32::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[test]
    fn pages_keep_their_places() {
        let mut numbers = Numbers::default();
        assert_eq!(numbers.place(7), None);
        // Keys with the same low bits end up in consecutive slots.
        let keys = |number: u64| ((number % 10) << 40) | number;
        for number in 0..1_000 {
            assert_eq!(numbers.add(keys(number)), usize::try_from(number).unwrap());
        }
        for number in 0..1_000 {
            assert_eq!(numbers.add(keys(number)), usize::try_from(number).unwrap());
            assert_eq!(numbers.get(keys(number)).map(|page| page.key), Some(keys(number)));
        }
        assert_eq!((numbers.len(), numbers.place(1_000)), (1_000, None));
    }
}
