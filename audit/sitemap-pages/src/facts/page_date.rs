//! The dates that a page states about itself.

use sitemap_core::LastMod;

use super::date::parse_date;

/// A date that the page states about itself.
///
/// ```
/// use sitemap_pages::facts::{PageDateKind, PageFacts, Response};
///
/// let url = "https://example.com/";
/// let headers = [("Last-Modified", "Sun, 22 Nov 2026 10:00:00 GMT")];
/// let body = br#"<!doctype html><script type="application/ld+json">{"@type": "Article", "dateModified": "2026-11-20"}</script>"#;
/// let facts = PageFacts::of(&Response::new(url, 200, &headers, body));
/// let dates: Vec<_> = facts.dates.iter().map(|date| (date.kind, date.date.unwrap().to_string())).collect();
/// assert_eq!(dates, [
///     (PageDateKind::LastModified, "2026-11-22T10:00:00Z".to_owned()),
///     (PageDateKind::StructuredModified, "2026-11-20".to_owned()),
/// ]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PageDate {
    /// Where the date comes from.
    pub kind: PageDateKind,
    /// The date as written.
    pub text: String,
    /// The date, or `None` if its format is unknown. For a time without a zone, only the day is used.
    pub date: Option<LastMod>,
}

/// Where a page's date comes from.
///
/// ```
/// use sitemap_pages::facts::PageDateKind;
///
/// assert!(PageDateKind::ArticleModified.is_change());
/// assert!(!PageDateKind::ArticlePublished.is_change());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PageDateKind {
    /// The `Last-Modified` header. It is often the time when the page was generated.
    LastModified,
    /// `dateModified` in JSON-LD or microdata.
    StructuredModified,
    /// `datePublished` in JSON-LD or microdata.
    StructuredPublished,
    /// `article:modified_time`
    ArticleModified,
    /// `article:published_time`
    ArticlePublished,
    /// The `datetime` of a `<time>`, which can be the date of anything.
    Time,
    /// `og:updated_time`
    OpenGraphUpdated,
}

impl PageDateKind {
    /// Returns whether this kind of date states when the page changed.
    pub fn is_change(self) -> bool {
        matches!(
            self,
            Self::LastModified | Self::StructuredModified | Self::ArticleModified | Self::OpenGraphUpdated
        )
    }

    /// Returns the kind of date for a `property`, `name` or `itemprop` in lower case.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        match name {
            "article:modified_time" => Some(Self::ArticleModified),
            "og:updated_time" => Some(Self::OpenGraphUpdated),
            "article:published_time" => Some(Self::ArticlePublished),
            "datemodified" => Some(Self::StructuredModified),
            "datepublished" => Some(Self::StructuredPublished),
            _ => None,
        }
    }
}

impl PageDate {
    pub(super) fn new(kind: PageDateKind, text: &str) -> Self {
        let text = text.trim();
        Self { kind, text: text.chars().take(64).collect(), date: parse_date(text) }
    }
}
