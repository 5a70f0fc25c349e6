//! The pages of the recent section of a set, which repeats entries of other files.

use std::sync::Arc;

use sitemap_core::LastMod;

use super::seen::{ByFingerprint, Fingerprint};

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

    /// Returns the date that the recent section gives a page, and the file, if the date is another one.
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
