//! The links that a crawl has seen recently.

use super::hash64;

/// The number of links to remember.
const PLACES: usize = 1 << 14;
/// The maximum length of a remembered link, in bytes.
const LONGEST: usize = 256;

/// Remembers links, so that navigation links are not parsed and looked up for each page.
///
/// A link's hash determines its slot, where it replaces the previous link. A link can therefore be forgotten and looked
/// up again, but it's never mistaken for another. Uses less than 5 MB of memory.
#[derive(Debug)]
pub(super) struct Followed {
    places: Box<[Option<Box<str>>]>,
}

impl Followed {
    pub(super) fn new() -> Self {
        Self::with(PLACES)
    }

    /// Creates a memory for up to `places` links.
    fn with(places: usize) -> Self {
        Self { places: vec![None; places].into() }
    }

    /// Remembers a link. Returns `false` if it was already remembered.
    #[expect(clippy::cast_possible_truncation, reason = "any bits of the hash select a place")]
    pub(super) fn is_new(&mut self, url: &str) -> bool {
        let at = hash64(url.as_bytes()) as usize % self.places.len();
        if self.places[at].as_deref() == Some(url) {
            return false;
        }
        if url.len() <= LONGEST {
            self.places[at] = Some(url.into());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Followed, LONGEST};

    #[test]
    fn a_link_is_known_until_another_takes_its_place() {
        let mut followed = Followed::with(1);
        let is_new = ["/a", "/a", "/b", "/b", "/a"].map(|url| followed.is_new(url));
        assert_eq!(is_new, [true, false, true, false, true]);

        let mut followed = Followed::new();
        assert_eq!(["/a", "/b", "/a", "/b"].map(|url| followed.is_new(url)), [true, true, false, false]);
    }

    #[test]
    fn long_links_are_always_new() {
        let mut followed = Followed::with(1);
        let long = "a".repeat(LONGEST + 1);
        assert!(followed.is_new(&long) && followed.is_new(&long));
        assert!(followed.is_new(&long[1..]) && !followed.is_new(&long[1..]));
    }
}
