//! What kind of document it is.

use sitemap_core::Dialect;

/// What a document turned out to be, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document {
    /// Its kind.
    pub kind: DocumentKind,
    /// The protocol's edition, if its namespace says one.
    pub dialect: Option<Dialect>,
    /// Whether it was compressed.
    pub gzip: bool,
    /// Its encoding by the name that the Encoding Standard gives it.
    pub encoding: &'static str,
}

/// The kinds of documents that list pages or sitemaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentKind {
    /// An XML sitemap.
    UrlSet,
    /// A sitemap index.
    Index,
    /// A list of URLs, one a line.
    Text,
    /// RSS, or a relative of it.
    Rss,
    /// Atom.
    Atom,
}

impl DocumentKind {
    /// `urlset`, `sitemapindex`, `text`, `rss` or `feed`: the root element, where there is one.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UrlSet => "urlset",
            Self::Index => "sitemapindex",
            Self::Text => "text",
            Self::Rss => "rss",
            Self::Atom => "feed",
        }
    }
}
