//! The writer of one file with pages.

use std::io::Write;

use super::document::{Fit, Written};
use super::options::WriteOptions;
use super::pages::Pages;
use crate::entry::SitemapEntry;
use crate::error::{Error, ErrorKind};
use crate::site::Site;

/// Writes one file with pages, an XML urlset or a text sitemap, to anything that is [`Write`].
///
/// Memory does not grow with the number of pages. The file is full *before* the record that would
/// break a limit, so that what was written so far always ends as a whole document. For more pages
/// than one file holds, use a [`Publisher`](crate::Publisher).
///
/// It keeps a buffer of its own; `out` needs none.
///
/// ```
/// use sitemap_core::{Fit, Site, SitemapWriter};
///
/// let mut sitemap = SitemapWriter::new(Site::new("https://example.com")?, Vec::new());
/// assert_eq!(sitemap.add("/about?lang=en&print=1")?, Fit::Written);
/// let (xml, written) = sitemap.finish()?;
///
/// assert_eq!(written.items, 1);
/// assert_eq!(
///     String::from_utf8_lossy(&xml),
///     r#"<?xml version="1.0" encoding="UTF-8"?>
/// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <url><loc>https://example.com/about?lang=en&amp;print=1</loc></url>
/// </urlset>
/// "#
/// );
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Debug)]
pub struct SitemapWriter<W> {
    site: Site,
    pages: Pages<W>,
    scratch: String,
}

impl<W: Write> SitemapWriter<W> {
    /// Begins an XML urlset in dialect 0.9 with its limits.
    pub fn new(site: Site, out: W) -> Self {
        Self::with_options(site, out, WriteOptions::new())
    }

    /// Begins a file of another dialect, format or size.
    pub fn with_options(site: Site, out: W, options: WriteOptions) -> Self {
        Self { site, pages: Pages::new(out, options), scratch: String::new() }
    }

    /// Adds a record's pages: all of them, or none when the file is [`Full`](Fit::Full).
    ///
    /// # Errors
    ///
    /// If a value of the record is invalid, a page is outside the site, or the record is larger than
    /// a whole file; the file goes on as if the record had not been there. If `out` fails; then
    /// nothing more can be written.
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<Fit, Error> {
        self.pages.draft(record, &self.site, &mut self.scratch)?;
        let fit = self.pages.accept();
        self.pages.discard();
        fit
    }

    /// Adds all records.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add), and [`ErrorKind::Full`] when not all of them fit.
    pub fn add_all<T: SitemapEntry>(&mut self, records: impl IntoIterator<Item = T>) -> Result<(), Error> {
        for record in records {
            if self.add(&record)? == Fit::Full {
                return Err(ErrorKind::Full { urls: self.size().items }.into());
            }
        }
        Ok(())
    }

    /// What the file has if it is finished now.
    #[must_use]
    pub fn size(&self) -> Written {
        self.pages.size()
    }

    /// Ends the document, flushes `out` and returns it.
    ///
    /// A file without a page is well-formed; the schema wants at least one, and Google warns.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn finish(self) -> Result<(W, Written), Error> {
        self.pages.finish()
    }
}
