//! Compares the pages of the new set with those of the old one.

use sitemap_core::Entry;
use sitemap_read::SitemapReader;

use super::lines::Lines;
use super::old::{Hashed, Pages};
use super::values::Values;
use crate::error::Outcome;
use crate::page_list::document::Carried;
use crate::source::{Document, PART, Parts};
use crate::url_map::UrlMap;

/// Reads pages of the new set, and compares each with the old set.
pub(super) struct Comparing<'o> {
    old: &'o Pages<Values>,
    lines: Lines,
    carried: Carried,
    map: &'o UrlMap,
    part: Compared,
    size: usize,
}

/// Pages of the new set in their original order, with their output lines.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) pages: Vec<Page>,
    pub(super) text: Vec<u8>,
    /// True if some values were not compared, because one of the documents can't have them.
    pub(super) is_partial: bool,
}

/// A page of the new set. Duplicates are dropped later, once all pages before this one are known. Old pages are
/// identified by their numbers.
pub(super) enum Page {
    /// The values are the same as those of the old page with this number.
    Same(usize),
    /// The values have changed. Contains the number of the old page, and the length of the output lines.
    Changed(usize, usize),
    /// The old set doesn't list the page. Contains the length of the page's output line.
    Added(Hashed, usize),
}

impl<'o> Comparing<'o> {
    pub(super) fn new(old: &'o Pages<Values>, lines: Lines, carried: Carried, map: &'o UrlMap) -> Self {
        Self { old, lines, carried, map, part: Compared::default(), size: 0 }
    }
}

impl Parts for Comparing<'_> {
    type Part = Compared;

    fn page(&mut self, entry: &Entry<'_>) -> Outcome<()> {
        let (loc, values) = (self.map.url(entry.loc().as_str()), Values::of(entry, self.carried, self.map));
        let Compared { pages, text, is_partial } = &mut self.part;
        let before = text.len();
        pages.push(if let Some((number, old)) = self.old.get(&loc) {
            *is_partial |= old.is_partial(&values);
            let changes = old.changes(&values);
            if changes.is_empty() {
                Page::Same(number)
            } else {
                self.lines.changed(text, entry, changes)?;
                Page::Changed(number, text.len() - before)
            }
        } else {
            self.lines.added(text, entry)?;
            self.size += loc.len();
            Page::Added(Hashed::new(&loc, self.old.hasher()), text.len() - before)
        });
        self.size += size_of::<Page>() + text.len() - before;
        Ok(())
    }

    fn part(&mut self) -> Outcome<Option<Compared>> {
        if self.size < PART {
            return Ok(None);
        }
        self.size = 0;
        Ok(Some(std::mem::take(&mut self.part)))
    }

    fn end(&mut self, _: &Document, _: &mut SitemapReader<'_>) -> Outcome<Compared> {
        Ok(std::mem::take(&mut self.part))
    }

    fn size(part: &Compared) -> usize {
        part.pages.len() * size_of::<Page>() + part.text.len()
    }
}
