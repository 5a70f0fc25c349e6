//! The writer of one sitemap.

use std::io::Write;

use crate::error::{Error, ErrorKind};
use crate::record::{SitemapEntry, write_record};
use crate::value::Site;
use crate::write::{DocumentSize, Pages, Room, WriteOptions, WriteSink};

/// Writes one sitemap, an XML urlset or a text sitemap, to any [`Write`].
///
/// Memory use does not grow with the number of pages. The writer rejects a record that would push the file over a
/// limit, so the file can always be finished. If the pages do not fit into one file, use a
/// [`Replacement`](crate::Replacement).
///
/// The writer buffers its output, so `out` doesn't need to.
///
/// ```
/// use sitemap_core::{Site, SitemapWriter};
///
/// let mut sitemap = SitemapWriter::new(Site::new("https://example.com")?, Vec::new());
/// sitemap.add("/about?lang=en&print=1")?;
/// let (xml, size) = sitemap.finish()?;
///
/// assert_eq!(size.entries, 1);
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
#[must_use = "call `finish`; without it, the sitemap is incomplete"]
pub struct SitemapWriter<W> {
    site: Site,
    pages: Pages<WriteSink<W>>,
    scratch: String,
}

impl<W: Write> SitemapWriter<W> {
    /// Starts an XML urlset in dialect 0.9 with the limits of that dialect.
    pub fn new(site: Site, out: W) -> Self {
        Self::with_options(site, out, WriteOptions::new())
    }

    /// Starts a file in another dialect or format, or with lower limits.
    ///
    /// ```
    /// use sitemap_core::{Format, Site, SitemapWriter, WriteOptions};
    ///
    /// let options = WriteOptions::new().format(Format::Text);
    /// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
    /// sitemap.add("/about")?;
    /// assert_eq!(sitemap.finish()?.0, b"https://example.com/about\n");
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    #[allow(clippy::needless_pass_by_value)] // By value, so that callers can build the options in the call.
    pub fn with_options(site: Site, out: W, options: WriteOptions) -> Self {
        Self { site, pages: Pages::new(WriteSink(out), &options, None), scratch: String::new() }
    }

    /// Adds all pages of a record, or none of them if one is invalid.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Full`] if the file has no room for the record, or [`ErrorKind::TooLarge`] if the record would not
    ///   even fit into an empty file.
    /// - [`ErrorKind::OutOfScope`] if a page is outside the site, and other kinds if a value of the record is
    ///   invalid.
    /// - [`ErrorKind::Io`] if `out` fails. The file can't be continued after this error; after other errors, it can.
    /// - [`ErrorKind::Aborted`] if `out` failed in an earlier call.
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, record: &T) -> Result<(), Error> {
        write_record(record, &mut self.pages, &self.site, &mut self.scratch)?;
        match self.pages.accept()? {
            Room::Enough => Ok(()),
            Room::Full => {
                self.pages.discard();
                Err(ErrorKind::Full { entries: self.size().entries }.into())
            }
        }
    }

    /// Adds records one after another until one fails.
    ///
    /// # Errors
    ///
    /// The same as for [`add`](Self::add).
    pub fn add_all<T: SitemapEntry>(&mut self, records: impl IntoIterator<Item = T>) -> Result<(), Error> {
        records.into_iter().try_for_each(|record| self.add(&record))
    }

    /// Returns the size of the file if it were finished now.
    #[must_use]
    pub fn size(&self) -> DocumentSize {
        self.pages.size()
    }

    /// Ends the document and flushes `out`. Returns `out` and the size of the document.
    ///
    /// A sitemap without pages is well-formed, but the schema requires at least one page, and Google warns about it.
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::Io`] if `out` fails, and with [`ErrorKind::Aborted`] if `out` failed in an earlier call.
    pub fn finish(self) -> Result<(W, DocumentSize), Error> {
        let (WriteSink(out), size) = self.pages.finish()?;
        Ok((out, size))
    }
}
