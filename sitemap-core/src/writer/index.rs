//! The writer of one sitemap index.

use std::io::Write;

use crate::error::{Error, ErrorKind};
use crate::value::LastMod;
use crate::value::Site;
use crate::write::{DocumentSize, Index, Room, WriteOptions, WriteSink};

/// Writes one sitemap index to any [`Write`].
///
/// A [`Replacement`](crate::Replacement) writes the index of its own files, so use this writer for other child sitemaps. An
/// index may list urlsets, text sitemaps and feeds of the same site, at or below its own directory. It must not list
/// another index.
///
/// ```
/// use sitemap_core::{IndexWriter, LastMod, Site};
///
/// let mut index = IndexWriter::new(Site::new("https://example.com")?, Vec::new());
/// index.add("/posts.xml.gz", "2026-01-31".parse::<LastMod>()?)?;
/// index.add("/pages.xml", None)?;
/// let (xml, size) = index.finish()?;
///
/// assert_eq!(size.entries, 2);
/// assert_eq!(
///     String::from_utf8_lossy(&xml),
///     r#"<?xml version="1.0" encoding="UTF-8"?>
/// <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <sitemap><loc>https://example.com/posts.xml.gz</loc><lastmod>2026-01-31</lastmod></sitemap>
/// <sitemap><loc>https://example.com/pages.xml</loc></sitemap>
/// </sitemapindex>
/// "#
/// );
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "call `finish`; without it, the index is incomplete"]
pub struct IndexWriter<W> {
    site: Site,
    index: Index<WriteSink<W>>,
}

impl<W: Write> IndexWriter<W> {
    /// Starts an index in dialect 0.9 with the limits of that dialect.
    pub fn new(site: Site, out: W) -> Self {
        Self::with_options(site, out, WriteOptions::new())
    }

    /// Starts an index in another dialect or with lower limits.
    ///
    /// ```
    /// use sitemap_core::{Dialect, IndexWriter, Site, WriteOptions};
    ///
    /// let options = WriteOptions::new().dialect(Dialect::V0_84);
    /// let index = IndexWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
    /// let (xml, _) = index.finish()?;
    /// assert!(String::from_utf8_lossy(&xml).contains("http://www.google.com/schemas/sitemap/0.84"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    #[allow(clippy::needless_pass_by_value)] // By value, so that callers can build the options in the call.
    pub fn with_options(site: Site, out: W, options: WriteOptions) -> Self {
        Self { site, index: Index::new(WriteSink(out), &options) }
    }

    /// Adds a child sitemap by its URL or its path on the site. `lastmod` is the time when the file itself last
    /// changed, not the time when one of its pages changed.
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::Full`] if the index has no room for another child, [`ErrorKind::Loc`] if the URL is
    /// invalid, [`ErrorKind::OutOfScope`] if the URL is not under the base URL of the site, [`ErrorKind::Io`] if `out`
    /// fails, and [`ErrorKind::Aborted`] if `out` failed in an earlier call.
    pub fn add(&mut self, path_or_url: &str, lastmod: impl Into<Option<LastMod>>) -> Result<(), Error> {
        let loc = self.site.resolve(path_or_url)?;
        if !self.site.covers(&loc) {
            let (loc, base) = (loc.as_str().into(), self.site.base().into());
            return Err(ErrorKind::OutOfScope { loc, base }.into());
        }
        match self.index.add(&loc, lastmod.into())? {
            Room::Enough => Ok(()),
            Room::Full => Err(ErrorKind::Full { entries: self.size().entries }.into()),
        }
    }

    /// Returns the size of the index if it were finished now.
    #[must_use]
    pub fn size(&self) -> DocumentSize {
        self.index.size()
    }

    /// Ends the index and flushes `out`. Returns `out` and the size of the index.
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::Io`] if `out` fails, and with [`ErrorKind::Aborted`] if `out` failed in an earlier call.
    pub fn finish(self) -> Result<(W, DocumentSize), Error> {
        let (WriteSink(out), size) = self.index.finish()?;
        Ok((out, size))
    }
}
