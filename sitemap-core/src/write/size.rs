//! The size of a document, and the newest `lastmod` of its pages.

use crate::value::LastMod;

/// The size of a document: its number of entries, and its bytes before compression.
///
/// ```
/// use sitemap_core::{Site, SitemapWriter};
///
/// let mut sitemap = SitemapWriter::new(Site::new("https://example.com")?, Vec::new());
/// sitemap.add_all(["/", "/about"])?;
/// let (xml, size) = sitemap.finish()?;
/// assert_eq!(size.entries, 2);
/// assert_eq!(size.bytes, xml.len() as u64);
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentSize {
    /// The number of entries: URLs in a sitemap, child sitemaps in an index.
    pub entries: u64,
    /// The number of bytes before compression.
    pub bytes: u64,
}

/// The size of a finished document, and the newest `lastmod` of its pages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    pub(crate) size: DocumentSize,
    /// The newest `lastmod` of the document's pages.
    pub(crate) newest: Option<LastMod>,
    /// `true` if every page is in its hash bucket.
    pub(crate) by_url: bool,
}

impl Content {
    /// The content of a document without a hash bucket.
    pub(crate) fn new(size: DocumentSize, newest: Option<LastMod>) -> Self {
        Self { size, newest, by_url: false }
    }
}
