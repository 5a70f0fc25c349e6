//! The pages that differ between two sets.

use std::collections::HashSet;
use std::{mem, slice};

use indexmap::{Equivalent, IndexMap};
use sitemap_core::{Entry, LastMod, Loc};

use crate::buckets;
use crate::error::Outcome;
use crate::source::{Document, Source, Visitor, crawl};

/// The names of unchanged files. Their pages don't need to be compared.
pub(super) type Unchanged = HashSet<String>;

/// Returns the pages that were added or whose `lastmod` changed, followed by the pages that were removed. Each page
/// occurs once.
///
/// If both sets have the same number of hash buckets, they are compared one bucket at a time. So memory usage depends
/// only on the number of changed pages.
///
/// Changes of `changefreq` and `priority` are ignored, because these values don't depend on the page's content.
pub(super) fn changed(
    source: &Source,
    old: &str,
    new: &str,
    unchanged: Unchanged,
) -> Outcome<Vec<Loc<'static>>> {
    if let Some(pair) = buckets::differing(old, new, true, 1)? {
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
    // Fails if a file is unreadable, because its pages would look removed.
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

/// A borrowed URL, for looking up a page without copying the URL.
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
            // If a page is listed twice, only its first entry is compared.
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
