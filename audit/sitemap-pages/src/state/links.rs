//! The links of pages.

use serde::{Deserialize, Serialize};

use super::content::url;
use super::error::StateError;
use super::open_state::State;
use super::run::Run;
use super::table::{Table, TableId};
use crate::facts::{LinkKind, PageLink};

pub(super) const LINKS: Table<Links<String>> = Table::new(TableId::Links);

/// A page's links, in stored form.
#[derive(Serialize, Deserialize)]
pub(super) struct Links<S> {
    run: u64,
    links: Vec<Link<S>>,
}

/// A link, in stored form. It starts with the length of the prefix that its URL shares with the previous link's URL,
/// or, for the first link, with the page's URL. Only the rest of the URL is stored. Most links of a page start in the
/// same way, so the row is much shorter than the URLs.
#[derive(Serialize, Deserialize)]
struct Link<S> {
    /// The length of the common prefix, in bytes.
    shared: u32,
    rest: S,
    kind: LinkKind,
    is_nofollow: bool,
}

impl<'a> Links<&'a str> {
    fn of(run: u64, page: &'a str, links: &'a [PageLink]) -> Self {
        let mut before = page;
        let link = |link: &'a PageLink| {
            let shared = shared(before, &link.url);
            before = &link.url;
            let rest = &link.url[shared as usize..];
            Link { shared, rest, kind: link.kind, is_nofollow: link.is_nofollow }
        };
        Self { run, links: links.iter().map(link).collect() }
    }
}

impl<S: AsRef<str>> Links<S> {
    /// Calls a function with the URL of each link on a page. Returns what is wrong with the row, if anything.
    fn each(&self, page: &str, mut each: impl FnMut(&str, &Link<S>)) -> Result<(), &'static str> {
        let mut url = page.to_owned();
        for link in &self.links {
            let shared = link.shared as usize;
            // This check also fails past the end of the string.
            if !url.is_char_boundary(shared) {
                return Err("has a link that starts with more than the one before has");
            }
            url.truncate(shared);
            url.push_str(link.rest.as_ref());
            each(&url, link);
        }
        Ok(())
    }

    fn whole(&self, page: &str) -> Result<Vec<PageLink>, &'static str> {
        let mut links = Vec::with_capacity(self.links.len());
        self.each(page, |url, link| {
            links.push(PageLink { url: url.to_owned(), kind: link.kind, is_nofollow: link.is_nofollow });
        })?;
        Ok(links)
    }
}

/// Returns the length of the common prefix of two strings.
fn shared(one: &str, other: &str) -> u32 {
    let most = one.len().min(other.len()).min(u32::MAX as usize);
    let (left, right) = (&one.as_bytes()[..most], &other.as_bytes()[..most]);
    // Compares eight bytes at a time.
    let eights = left.as_chunks::<8>().0.iter().zip(right.as_chunks::<8>().0);
    let mut shared = 8 * eights.take_while(|(left, right)| left == right).count();
    shared += left[shared..].iter().zip(&right[shared..]).take_while(|(left, right)| left == right).count();
    while !other.is_char_boundary(shared) || !one.is_char_boundary(shared) {
        shared -= 1;
    }
    u32::try_from(shared).unwrap_or_default()
}

impl State {
    /// Passes all links as pairs: the URL of the page, and the URL that it links to.
    pub(crate) fn each_link(&self, mut each: impl FnMut(&str, &str)) -> Result<(), StateError> {
        self.db.scan(LINKS.id, |key, row| {
            let from = String::from_utf8_lossy(key);
            let row: Links<&str> = self.db.read(LINKS.id, key, row)?;
            row.each(&from, |to, _| each(&from, to)).map_err(self.db.damage(LINKS.id, key))
        })
    }

    /// Returns a page's links, as found by the last visit with content.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file can't be read.
    pub fn links(&self, url: &str) -> Result<Vec<PageLink>, StateError> {
        let key = url.as_bytes();
        let Some(row) = self.db.get(&LINKS, key)? else { return Ok(Vec::new()) };
        row.whole(url).map_err(self.db.damage(LINKS.id, key))
    }

    /// Returns every page with links, ordered by URL: its URL, the number of the run that found the links, and the
    /// links.
    pub fn all_links(&self) -> impl Iterator<Item = Result<(String, u64, Vec<PageLink>), StateError>> {
        self.db.all(LINKS).map(|row| {
            let (key, row) = row?;
            let url = url(&key);
            let links = row.whole(&url).map_err(self.db.damage(LINKS.id, &key))?;
            Ok((url, row.run, links))
        })
    }

    /// Stores a page's links. `is_new` means that no run has visited the page before, so no links are stored yet.
    pub(super) fn store_links(
        &self,
        run: &Run,
        page: &str,
        links: &[PageLink],
        is_new: bool,
    ) -> Result<(), StateError> {
        let key = page.as_bytes();
        let row = || Links::of(run.number(), page, links);
        match (links, is_new) {
            ([], true) => Ok(()),
            ([], false) => self.db.delete(&LINKS, key),
            (_, true) => self.db.replace(&LINKS, key, &row(), None),
            (_, false) => self.db.put(&LINKS, key, &row()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Link, Links, shared};
    use crate::facts::{LinkKind, PageLink};

    fn link(url: String) -> PageLink {
        PageLink { url, kind: LinkKind::Anchor, is_nofollow: false }
    }

    #[test]
    fn texts_share_whole_characters() {
        for (one, other, expected) in [
            ("", "", 0),
            ("https://e.com/a", "", 0),
            ("https://e.com/a", "https://e.com/a", 15),
            ("https://e.com/a", "https://e.com/abc", 15),
            ("https://e.com/ab", "https://e.com/ac", 15),
            ("https://e.com/oaks", "https://e.com/oak/", 17),
            // Two characters with the same first byte.
            ("https://e.com/é", "https://e.com/è", 14),
            ("http://e.com/", "https://e.com/", 4),
        ] {
            assert_eq!(shared(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn a_row_that_shares_too_much_is_an_error() {
        let row = |shared| {
            let links = vec![Link { shared, rest: "x", kind: LinkKind::Anchor, is_nofollow: false }];
            Links { run: 1, links }.whole("https://e.com/é").is_ok()
        };
        // Byte 15 is inside a character.
        assert_eq!([14, 15, 16, 17, u32::MAX].map(row), [true, false, true, false, false]);
    }

    proptest! {
        #[test]
        fn links_are_read_as_they_were(urls in proptest::collection::vec("(https://e.com/)?[a-cé/]{0,12}", 0..9)) {
            let links: Vec<_> = urls.into_iter().map(link).collect();
            let row = Links::of(7, "https://e.com/a", &links);
            let bytes = postcard::to_extend(&row, Vec::new()).unwrap();
            let row: Links<&str> = postcard::from_bytes(&bytes).unwrap();
            prop_assert_eq!((row.run, row.whole("https://e.com/a").unwrap()), (7, links));
        }
    }
}
