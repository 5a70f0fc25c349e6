//! What the check of one document needs to know about other documents.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use sitemap_core::{LastMod, Loc};

use super::seen_urls::{ByFingerprint, Fingerprint, Fingerprints};
use super::source::RobotsLines;
use crate::read::Span;

pub(super) struct Others<'o> {
    /// The name of the document that is checked.
    pub(super) name: &'o Arc<str>,
    pub(super) fingerprints: &'o Fingerprints,
    pub(super) recent: &'o mut Arc<RecentPages>,
    /// The child sitemaps listed so far. All indexes share one list; any other document has its own.
    pub(super) children: &'o mut Children,
    pub(super) robots: &'o mut dyn RobotsLines,
}

/// The pages of the recent section, with their dates.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentPages {
    /// The date of each page, and the file that lists it.
    pages: ByFingerprint<(Option<LastMod>, Arc<str>)>,
}

impl RecentPages {
    /// Adds a page of the recent section. Returns `false` if the section already contains it.
    pub(super) fn add(&mut self, page: Fingerprint, lastmod: Option<LastMod>, file: &Arc<str>) -> bool {
        self.pages.insert(page, (lastmod, Arc::clone(file))).is_none()
    }

    /// Returns the page's date in the recent section, and the file that contains it, if that date differs from
    /// `lastmod`.
    #[inline]
    pub(super) fn other_date(
        &self,
        page: Fingerprint,
        lastmod: Option<LastMod>,
    ) -> Option<&(Option<LastMod>, Arc<str>)> {
        if self.pages.is_empty() {
            return None;
        }
        self.pages.get(&page).filter(|(date, _)| *date != lastmod)
    }
}

/// The child sitemaps listed so far, each with the name of the document that listed it first.
#[derive(Debug, Default)]
pub(super) struct Children(ByFingerprint<Arc<str>>);

impl Children {
    /// Adds a child sitemap. If an earlier entry lists it, returns the name of that entry's document.
    pub(super) fn add(&mut self, child: Fingerprint, name: &Arc<str>) -> Option<Arc<str>> {
        match self.0.entry(child) {
            Entry::Occupied(before) => Some(Arc::clone(before.get())),
            Entry::Vacant(new) => {
                new.insert(Arc::clone(name));
                None
            }
        }
    }
}

/// An index entry for a child sitemap.
pub(super) struct Child {
    pub(super) loc: Loc<'static>,
    pub(super) span: Span,
    pub(super) lastmod: Option<(LastMod, Span)>,
    /// True if no earlier entry of the set lists this child sitemap.
    pub(super) is_new: bool,
}
