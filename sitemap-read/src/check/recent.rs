//! The pages of the recent section of a set, which repeats entries of other files.

use sitemap_core::LastMod;

use super::report::FileId;
use super::seen::{ByFingerprint, Fingerprint};

/// The pages of the recent section, each with its date.
#[derive(Debug, Default)]
pub(super) struct RecentPages {
    pages: ByFingerprint<(Option<LastMod>, FileId)>,
}

impl RecentPages {
    /// Adds a page of the recent section. Returns `false` if the section already has it.
    pub(super) fn add(&mut self, page: Fingerprint, lastmod: Option<LastMod>, file: FileId) -> bool {
        self.pages.insert(page, (lastmod, file)).is_none()
    }

    /// Returns the date that the recent section gives a page, and the file, if the date is another one.
    #[inline]
    pub(super) fn other_date(
        &self,
        page: Fingerprint,
        lastmod: Option<LastMod>,
    ) -> Option<(Option<LastMod>, FileId)> {
        if self.pages.is_empty() {
            return None;
        }
        self.pages.get(&page).copied().filter(|(date, _)| *date != lastmod)
    }
}
