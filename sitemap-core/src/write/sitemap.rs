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
/// use sitemap_core::{Site, SitemapWriter};
///
/// let mut sitemap = SitemapWriter::new(Site::new("https://example.com")?, Vec::new());
/// sitemap.add("/about?lang=en&print=1")?;
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
///
/// A program that prints its sitemap:
///
/// ```
/// use sitemap_core::{Error, Site, SitemapWriter};
///
/// fn main() -> Result<(), Error> {
///     let mut sitemap = SitemapWriter::new(Site::new("https://example.com")?, std::io::stdout());
///     sitemap.add_all(["/", "/about"])?;
///     sitemap.finish()?;
///     Ok(())
/// }
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
    #[allow(clippy::needless_pass_by_value)] // so that callers can build the options in the call
    pub fn with_options(site: Site, out: W, options: WriteOptions) -> Self {
        Self { site, pages: Pages::new(out, &options), scratch: String::new() }
    }

    /// Adds a record's pages, all of them.
    ///
    /// # Errors
    ///
    /// As [`try_add`](Self::try_add), and [`ErrorKind::Full`] when the file has no room for them.
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), Error> {
        match self.try_add(record)? {
            Fit::Written => Ok(()),
            Fit::Full => Err(ErrorKind::Full { urls: self.size().items }.into()),
        }
    }

    /// Adds a record's pages: all of them, or none when the file is [`Full`](Fit::Full).
    ///
    /// # Errors
    ///
    /// If a value of the record is invalid, a page is outside the site, or the record is larger than
    /// a whole file; the file goes on as if the record had not been there. If `out` fails; then
    /// nothing more can be written.
    pub fn try_add<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<Fit, Error> {
        self.pages.draft(record, &self.site, &mut self.scratch)?;
        let fit = self.pages.accept();
        self.pages.discard();
        fit
    }

    /// Adds all records.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn add_all<T: SitemapEntry>(&mut self, records: impl IntoIterator<Item = T>) -> Result<(), Error> {
        records.into_iter().try_for_each(|record| self.add(&record))
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
