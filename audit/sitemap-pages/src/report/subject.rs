//! What a report is about.

use sitemap_read::Rule;

use crate::judge::without_listing;

/// The pages of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Those that a sitemap lists.
    Sitemap,
    /// Those that a crawl found, of a site without a sitemap.
    Crawl,
}

impl Subject {
    /// Returns what was done with the pages.
    pub(super) const fn participle(self) -> &'static str {
        match self {
            Self::Sitemap => "listed",
            Self::Crawl => "crawled",
        }
    }

    /// Returns the summary and the remedy of a rule.
    pub(super) fn texts(self, rule: Rule) -> (&'static str, &'static str) {
        let own = (rule.summary(), rule.remedy());
        match self {
            Self::Sitemap => own,
            Self::Crawl => without_listing(rule).unwrap_or(own),
        }
    }
}
