//! The pages of the old set.

use std::hash::{BuildHasher as _, RandomState};

use indexmap::IndexMap;
use indexmap::map::raw_entry_v1::{RawEntryApiV1 as _, RawEntryMut};
use sitemap_core::Entry;
use sitemap_read::SitemapReader;

use super::values::Values;
use crate::error::Outcome;
use crate::page_list::document::Carried;
use crate::source::{Document, PART, Parts};
use crate::url_map::UrlMap;

/// Pages by URL, in the order of their set. If a page is listed twice, the first entry wins.
pub(super) struct Pages<V> {
    map: IndexMap<Box<str>, V>,
}

/// A page whose URL was hashed on another thread.
pub(super) struct Hashed {
    hash: u64,
    pub(super) loc: Box<str>,
}

impl Hashed {
    pub(super) fn new(loc: &str, hasher: &RandomState) -> Self {
        Self { hash: hasher.hash_one(loc), loc: loc.into() }
    }
}

impl<V> Pages<V> {
    pub(super) fn with_hasher(hasher: RandomState) -> Self {
        Self { map: IndexMap::with_hasher(hasher) }
    }

    pub(super) fn hasher(&self) -> &RandomState {
        self.map.hasher()
    }

    /// Adds a page. Returns `false` if it was added before.
    pub(super) fn add(&mut self, Hashed { hash, loc }: Hashed, value: V) -> bool {
        match self.map.raw_entry_mut_v1().from_hash(hash, |other| *other == loc) {
            RawEntryMut::Occupied(_) => false,
            RawEntryMut::Vacant(vacant) => {
                vacant.insert_hashed_nocheck(hash, loc, value);
                true
            }
        }
    }

    /// Returns the number of a page, and its value.
    pub(super) fn get(&self, loc: &str) -> Option<(usize, &V)> {
        self.map.get_full(loc).map(|(number, _, value)| (number, value))
    }

    pub(super) fn len(&self) -> usize {
        self.map.len()
    }

    /// Returns the URLs in their original order.
    pub(super) fn locs(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(|loc| &**loc)
    }
}

pub(super) struct Reading<'m> {
    hasher: RandomState,
    carried: Carried,
    map: &'m UrlMap,
    pages: Vec<(Hashed, Values)>,
    size: usize,
}

impl<'m> Reading<'m> {
    pub(super) fn new(hasher: RandomState, carried: Carried, map: &'m UrlMap) -> Self {
        Self { hasher, carried, map, pages: Vec::new(), size: 0 }
    }
}

impl Parts for Reading<'_> {
    type Part = (usize, Vec<(Hashed, Values)>);

    fn page(&mut self, entry: &Entry<'_>) -> Outcome<()> {
        let loc = self.map.url(entry.loc().as_str());
        self.size += size_of::<(Hashed, Values)>() + loc.len();
        self.pages.push((Hashed::new(&loc, &self.hasher), Values::of(entry, self.carried, self.map)));
        Ok(())
    }

    fn part(&mut self) -> Outcome<Option<Self::Part>> {
        if self.size < PART {
            return Ok(None);
        }
        let next = Vec::with_capacity(self.pages.len());
        Ok(Some((std::mem::take(&mut self.size), std::mem::replace(&mut self.pages, next))))
    }

    fn end(&mut self, _: &Document, _: &mut SitemapReader<'_>) -> Outcome<Self::Part> {
        Ok((std::mem::take(&mut self.size), std::mem::take(&mut self.pages)))
    }

    fn size(part: &Self::Part) -> usize {
        part.0
    }
}
