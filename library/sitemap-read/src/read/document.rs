//! The kind and encoding of a document.

use sitemap_core::Dialect;

/// The kind and encoding of a document, detected from its content.
///
/// ```
/// use sitemap_core::Dialect;
/// use sitemap_read::{DocumentKind, SitemapReader};
///
/// let xml = br#"<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"></urlset>"#;
/// let document = SitemapReader::from_slice(xml).document()?;
/// assert_eq!((document.kind, document.dialect), (DocumentKind::UrlSet, Some(Dialect::V0_84)));
/// assert_eq!((document.gzip, document.encoding), (false, "UTF-8"));
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document {
    /// The kind of document.
    pub kind: DocumentKind,
    /// The dialect of the protocol, 0.9 or 0.84. `None` if the root's namespace is neither.
    pub dialect: Option<Dialect>,
    /// True if the document was compressed with gzip.
    pub gzip: bool,
    /// The name of the document's encoding in the WHATWG Encoding Standard.
    pub encoding: &'static str,
}

/// The kinds of documents that list pages or sitemaps.
///
/// ```
/// use sitemap_read::{DocumentKind, SitemapReader};
///
/// let document = SitemapReader::from_slice(b"https://example.com/\n").document()?;
/// assert_eq!(document.kind, DocumentKind::Text);
/// assert_eq!(document.kind.as_str(), "text");
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentKind {
    /// An XML sitemap.
    UrlSet,
    /// A sitemap index.
    Index,
    /// A text sitemap: one URL per line.
    Text,
    /// An RSS feed of any version, including those based on RDF.
    Rss,
    /// An Atom feed.
    Atom,
}

impl DocumentKind {
    /// Returns `urlset`, `sitemapindex`, `text`, `rss` or `feed`. All except `text` are the usual name of the root
    /// element.
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
