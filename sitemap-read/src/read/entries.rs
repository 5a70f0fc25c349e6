//! Pages as an iterator.

use sitemap_core::Entry;

use super::document::DocumentKind;
use super::error::{ReadError, ReadErrorKind};
use super::finding::Finding;
use super::item::Item;
use super::reader::SitemapReader;

/// The pages of a document, independent of the reader. Made by [`SitemapReader::into_entries`].
///
/// An error ends the iteration, except that a sitemap index is an error, too: it lists sitemaps and no pages. The
/// findings wait in [`reader`](Self::reader).
#[derive(Debug)]
#[must_use = "an iterator reads nothing until it is asked for entries"]
pub struct Entries<'a> {
    reader: SitemapReader<'a>,
    is_done: bool,
}

impl<'a> SitemapReader<'a> {
    /// Reads the pages as an iterator of entries that borrow nothing.
    ///
    /// It copies each entry. [`next`](Self::next), which lends them, is faster.
    ///
    /// ```
    /// use sitemap_core::Entry;
    /// use sitemap_read::{ReadError, SitemapReader};
    ///
    /// let xml = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>https://example.com/</loc></url>
    /// <url><loc>https://example.com/about</loc></url>
    /// </urlset>"#;
    /// let entries = SitemapReader::from_slice(xml).into_entries();
    /// let entries: Vec<Entry<'static>> = entries.collect::<Result<_, ReadError>>()?;
    /// assert_eq!(entries[1].loc(), "https://example.com/about");
    /// # Ok::<(), ReadError>(())
    /// ```
    pub fn into_entries(self) -> Entries<'a> {
        Entries { reader: self, is_done: false }
    }
}

impl<'a> Entries<'a> {
    /// Returns the findings since they were last taken, in the order of reading.
    ///
    /// ```
    /// use sitemap_read::{Rule, SitemapReader};
    ///
    /// let mut entries = SitemapReader::from_slice(b"https://example.com/\nno URL\n").into_entries();
    /// assert_eq!(entries.by_ref().count(), 1);
    /// let findings: Vec<_> = entries.drain_findings().collect();
    /// assert_eq!(findings[0].rule(), Rule::TextLineInvalid);
    /// ```
    pub fn drain_findings(&mut self) -> impl ExactSizeIterator<Item = Finding> + '_ {
        self.reader.drain_findings()
    }

    /// Returns the reader, which knows the document, the position and the numbers of entries and findings.
    pub fn reader(&self) -> &SitemapReader<'a> {
        &self.reader
    }

    fn read(&mut self) -> Result<Option<Entry<'static>>, ReadError> {
        if self.reader.document()?.kind == DocumentKind::Index {
            return Err(ReadError::new(ReadErrorKind::Index, self.reader.position()));
        }
        Ok(match self.reader.next()? {
            Some(Item::Page(page)) => Some(page.into_entry().into_owned()),
            Some(Item::Sitemap(_)) | None => None,
        })
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry<'static>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let next = self.read().transpose();
        self.is_done = !matches!(next, Some(Ok(_)));
        next
    }
}
