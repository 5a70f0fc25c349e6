//! The pages that differ between two sets.

use std::collections::HashSet;
use std::{mem, slice};

use indexmap::{Equivalent, IndexMap};
use sitemap_core::{Entry, LastMod, Loc};

use crate::buckets;
use crate::error::Outcome;
use crate::source::{Document, Source, Visitor, crawl};

/// The names of files that are the same in both sets, so their pages need no comparison.
pub(super) type Unchanged = HashSet<String>;

/// Returns the pages that were added or have another `lastmod`, then the pages that were removed. Each page occurs
/// once.
///
/// If both sets have the same hash buckets, compares one bucket after another, so that memory grows only with the number
/// of changed pages.
///
/// Ignores `changefreq` and `priority`, because they do not depend on the page's content.
pub(super) fn changed(
    source: &Source,
    old: &str,
    new: &str,
    unchanged: Unchanged,
) -> Outcome<Vec<Loc<'static>>> {
    if let Some(pair) = buckets::differing(old, new, 1)? {
        let mut changed = Vec::new();
        for bucket in &pair.differing {
            changed.extend(changed_in(source, &bucket.old, &bucket.new, Unchanged::new())?);
        }
        return Ok(changed);
    }
    changed_in(source, slice::from_ref(&old.to_owned()), slice::from_ref(&new.to_owned()), unchanged)
}

fn changed_in(
    source: &Source,
    old: &[String],
    new: &[String],
    unchanged: Unchanged,
) -> Outcome<Vec<Loc<'static>>> {
    let mut before = Old { pages: IndexMap::new(), unchanged };
    old.iter().try_for_each(|target| crawl(source, target, &mut before)?.report(target))?;
    let mut after = New { old: before, changed: Vec::new() };
    // Ends with an error if a file is unreadable, because its pages would count as removed.
    new.iter().try_for_each(|target| crawl(source, target, &mut after)?.report(target))?;
    let New { old, mut changed } = after;
    changed.extend(old.pages.into_iter().filter(|(_, page)| !page.is_seen).map(|(loc, _)| loc));
    Ok(changed)
}

struct Old {
    pages: IndexMap<Loc<'static>, Page>,
    unchanged: Unchanged,
}

#[derive(Clone, Copy)]
struct Page {
    lastmod: Option<LastMod>,
    is_seen: bool,
}

/// A borrowed URL, used as a key to look up a page without copying the URL.
#[derive(Hash)]
struct Text<'l>(&'l str);

impl Equivalent<Loc<'static>> for Text<'_> {
    fn equivalent(&self, loc: &Loc<'static>) -> bool {
        self.0 == loc.as_str()
    }
}

impl Visitor for Old {
    fn page(&mut self, _: &Document, entry: &Entry<'_>) -> Outcome<()> {
        let page = Page { lastmod: entry.lastmod(), is_seen: false };
        self.pages.entry(entry.loc().clone().into_owned()).or_insert(page);
        Ok(())
    }

    fn wants(&self, document: &Document) -> bool {
        !self.unchanged.contains(document.file_name())
    }
}

struct New {
    old: Old,
    changed: Vec<Loc<'static>>,
}

impl Visitor for New {
    fn page(&mut self, _: &Document, entry: &Entry<'_>) -> Outcome<()> {
        let lastmod = entry.lastmod();
        if let Some(old) = self.old.pages.get_mut(&Text(entry.loc().as_str())) {
            // A page that is listed twice counts once.
            let is_repeated = mem::replace(&mut old.is_seen, true);
            if is_repeated || old.lastmod == lastmod {
                return Ok(());
            }
        } else {
            let page = Page { lastmod, is_seen: true };
            self.old.pages.insert(entry.loc().clone().into_owned(), page);
        }
        self.changed.push(entry.loc().clone().into_owned());
        Ok(())
    }

    fn wants(&self, document: &Document) -> bool {
        self.old.wants(document)
    }
}
