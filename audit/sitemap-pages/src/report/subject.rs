//! What a report is about.

use sitemap_read::Rule;

use crate::judge::without_listing;

/// The pages that a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Pages listed in a sitemap.
    Sitemap,
    /// Pages found by a crawl of a site without a sitemap.
    Crawl,
}

impl Subject {
    /// Returns the word for the pages in messages: "listed" or "crawled".
    pub(super) const fn participle(self) -> &'static str {
        match self {
            Self::Sitemap => "listed",
            Self::Crawl => "crawled",
        }
    }

    /// Returns a rule's summary and remedy.
    pub(super) fn texts(self, rule: Rule) -> (&'static str, &'static str) {
        let own = (rule.summary(), rule.remedy());
        match self {
            Self::Sitemap => own,
            Self::Crawl => without_listing(rule).unwrap_or(own),
        }
    }
}
