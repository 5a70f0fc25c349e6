//! What the check of a document knows about other documents.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use sitemap_core::{LastMod, Loc};

use super::seen_urls::{ByFingerprint, Fingerprint, Fingerprints};
use super::source::CrossSubmissions;
use crate::read::Span;

/// What the check of a document knows about other documents.
pub(super) struct Others<'o> {
    /// The name of the document itself.
    pub(super) name: &'o Arc<str>,
    pub(super) fingerprints: &'o Fingerprints,
    pub(super) recent: &'o mut Arc<RecentPages>,
    /// The child sitemaps that were listed so far. Only indexes share them.
    pub(super) children: &'o mut Children,
    pub(super) submissions: &'o mut dyn CrossSubmissions,
}

/// The pages of the recent section, each with its date.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentPages {
    /// For each page, its date and the name of the file.
    pages: ByFingerprint<(Option<LastMod>, Arc<str>)>,
}

impl RecentPages {
    /// Adds a page of the recent section. Returns `false` if the section already has it.
    pub(super) fn add(&mut self, page: Fingerprint, lastmod: Option<LastMod>, file: &Arc<str>) -> bool {
        self.pages.insert(page, (lastmod, Arc::clone(file))).is_none()
    }

    /// Returns the date that the recent section gives a page, and the file, if the dates differ.
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

/// The child sitemaps that were listed so far, each with the name of the first document that lists it.
#[derive(Debug, Default)]
pub(super) struct Children(ByFingerprint<Arc<str>>);

impl Children {
    /// Adds a child sitemap, or returns the name of the document that lists it already.
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

/// The entry of a child sitemap in an index.
pub(super) struct Child {
    pub(super) loc: Loc<'static>,
    pub(super) span: Span,
    pub(super) lastmod: Option<(LastMod, Span)>,
    /// True if no earlier entry of the set lists this child sitemap.
    pub(super) is_new: bool,
}
