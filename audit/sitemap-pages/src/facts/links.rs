//! A page's links, used to find other pages.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

use super::resolve::Base;
use crate::content::html::{find, unescape};
use crate::content::{HashedMap, hash64};

/// A link from a page to another.
///
/// ```
/// use sitemap_pages::facts::{LinkKind, PageFacts, PageLink, Response};
///
/// let url = "https://example.com/a/";
/// let body = b"<!doctype html><a href='b?x=1&amp;y=2#c'>B</a> <a href=mailto:me>me</a> <a rel=nofollow href=/login>Log in</a>";
/// let facts = PageFacts::of(&Response::new(url, 200, &[], body));
/// let link = |url: &str, is_nofollow| PageLink::new(url, LinkKind::Anchor, is_nofollow);
/// assert_eq!(facts.links, [link("https://example.com/a/b?x=1&y=2", false), link("https://example.com/login", true)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PageLink {
    /// The absolute http or https URL, without its fragment.
    pub url: String,
    /// The first element that contains the link.
    pub kind: LinkKind,
    /// Whether all elements with this link are `nofollow`.
    pub is_nofollow: bool,
}

impl PageLink {
    /// Creates a link.
    pub fn new(url: impl Into<String>, kind: LinkKind, is_nofollow: bool) -> Self {
        Self { url: url.into(), kind, is_nofollow }
    }
}

/// The kind of element that contains a link.
///
/// ```
/// use sitemap_pages::facts::{LinkKind, PageFacts, Response};
///
/// let url = "https://example.com/";
/// let body = b"<!doctype html><link rel=next href=/2><iframe src=/map></iframe>";
/// let facts = PageFacts::of(&Response::new(url, 200, &[], body));
/// let kinds: Vec<_> = facts.links.iter().map(|link| link.kind).collect();
/// assert_eq!(kinds, [LinkKind::Sequence, LinkKind::Frame]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LinkKind {
    /// `<a>` or `<area>`
    Anchor,
    /// `<iframe>` or `<frame>`
    Frame,
    /// `<link>` with `rel` `next`, `prev` or `previous`
    Sequence,
}

/// More distinct links than most pages contain.
const USUAL: usize = 64;

/// Collects a page's links.
#[derive(Debug, Default)]
pub(super) struct Links<'a> {
    found: Vec<(&'a [u8], LinkKind, bool)>,
    known: HashedMap<usize>,
    most: usize,
    omitted: usize,
}

impl<'a> Links<'a> {
    /// Keeps at most this many distinct links.
    pub(super) fn new(most: usize) -> Self {
        let usual = most.min(USUAL);
        let known = HashedMap::with_capacity_and_hasher(usual, BuildHasherDefault::default());
        Self { found: Vec::with_capacity(usual), known, most, omitted: 0 }
    }

    /// Adds a target as written.
    pub(super) fn push(&mut self, target: &'a [u8], kind: LinkKind, is_nofollow: bool) {
        let target = target.trim_ascii();
        let page =
            &target[..find(b'#', target).filter(|&at| !has_reference(target, at)).unwrap_or(target.len())];
        if page.is_empty() || is_other_scheme(page) {
            return;
        }
        match self.known.entry(hash64(page)) {
            Entry::Occupied(known) => self.found[*known.get()].2 &= is_nofollow,
            Entry::Vacant(_) if self.found.len() >= self.most => {
                self.omitted += 1;
            }
            Entry::Vacant(new) => {
                new.insert(self.found.len());
                self.found.push((page, kind, is_nofollow));
            }
        }
    }

    /// Returns the links, the number of links above the limit, and the number of targets that are not URLs.
    pub(super) fn finish(self, base: &Base) -> (Vec<PageLink>, usize, usize) {
        let mut known = self.known;
        // The targets as written are no longer needed.
        known.clear();
        let mut distinct =
            Distinct { links: Vec::with_capacity(self.found.len()), known, knows_rooted: false };
        let mut invalid = 0;
        for (target, kind, is_nofollow) in self.found {
            let written = base.resolve_written(target);
            let is_rooted = written.is_some() && target.starts_with(b"/") && !target.starts_with(b"/.");
            match written.or_else(|| resolve(target, base)) {
                None => invalid += 1,
                Some(url) if !url.starts_with("http://") && !url.starts_with("https://") => {}
                Some(url) => distinct.add(PageLink { url, kind, is_nofollow }, is_rooted, base),
            }
        }
        (distinct.links, self.omitted, invalid)
    }
}

/// Resolves a target that isn't a plain path.
fn resolve(target: &[u8], base: &Base) -> Option<String> {
    let target = unescape(target);
    // Much faster than `from_utf8_lossy`, which looks at every byte even if the text is valid.
    let target = match std::str::from_utf8(&target) {
        Ok(target) => Cow::Borrowed(target),
        Err(_) => String::from_utf8_lossy(&target),
    };
    base.resolve(&target)
}

/// A page's links, without duplicates.
///
/// On most pages, most links are paths that start with a slash. If two such paths differ, so do their URLs. They
/// therefore need no lookup, unless the page also writes URLs of its own host in another way.
struct Distinct {
    links: Vec<PageLink>,
    /// The positions of links, keyed by the hashes of their URLs.
    known: HashedMap<usize>,
    /// Whether `known` contains the links that are rooted.
    knows_rooted: bool,
}

impl Distinct {
    /// Adds a link. `is_rooted` means that the target is a plain path that starts with a slash, and that no earlier
    /// link of this kind has the same path.
    fn add(&mut self, link: PageLink, is_rooted: bool, base: &Base) {
        if !self.knows_rooted {
            if is_rooted {
                self.links.push(link);
                return;
            }
            if base.has_host_of(&link.url) {
                self.knows_rooted = true;
                // Links to other hosts are added again, which is harmless.
                self.known.extend(
                    self.links.iter().enumerate().map(|(at, link)| (hash64(link.url.as_bytes()), at)),
                );
            }
        }
        match self.known.entry(hash64(link.url.as_bytes())) {
            Entry::Occupied(known) => self.links[*known.get()].is_nofollow &= link.is_nofollow,
            Entry::Vacant(new) => {
                new.insert(self.links.len());
                self.links.push(link);
            }
        }
    }
}

/// Returns whether the `#` at a position is part of a character reference.
fn has_reference(target: &[u8], at: usize) -> bool {
    at > 0 && target[at - 1] == b'&'
}

/// Returns whether a target has a common scheme that doesn't lead to a page, such as `mailto:`.
fn is_other_scheme(target: &[u8]) -> bool {
    // Few targets start with one of these letters, so comparisons are rare.
    let scheme: &[u8] = match target.first() {
        Some(b'm' | b'M') => b"mailto:",
        Some(b'j' | b'J') => b"javascript:",
        Some(b't' | b'T') => b"tel:",
        Some(b'd' | b'D') => b"data:",
        _ => return false,
    };
    target.len() >= scheme.len() && target[..scheme.len()].eq_ignore_ascii_case(scheme)
}
