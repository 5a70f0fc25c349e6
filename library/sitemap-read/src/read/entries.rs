//! An iterator over the pages in a document.

use sitemap_core::Entry;

use super::document::DocumentKind;
use super::error::{ReadError, ReadErrorKind};
use super::finding::Finding;
use super::item::Item;
use super::reader::SitemapReader;

/// An iterator that yields each page as an owned entry. See [`SitemapReader::into_entries`].
///
/// The iteration ends after the first error. For a sitemap index, it yields an error, because an index lists sitemaps
/// instead of pages.
///
/// ```
/// use sitemap_read::{Rule, SitemapReader};
///
/// let mut entries = SitemapReader::from_slice(b"https://example.com/\nno URL\n").into_entries();
/// assert_eq!(entries.next().unwrap()?.loc(), "https://example.com/");
/// assert!(entries.next().is_none());
/// assert_eq!(entries.drain_findings().next().unwrap().rule(), Rule::TextLineInvalid);
/// assert_eq!(entries.reader().dropped_entries(), 1);
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Debug)]
#[must_use = "iterators are lazy and read nothing until `next` is called"]
pub struct Entries<'a> {
    reader: SitemapReader<'a>,
    is_done: bool,
}

impl<'a> SitemapReader<'a> {
    /// Returns an iterator that yields each page as an owned entry.
    ///
    /// The iterator copies each entry. To avoid the copies, call the reader's own [`next`](Self::next), whose entries
    /// borrow from the reader.
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
    /// Returns the findings that were added since the last call, oldest first.
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

    /// Returns the reader, for example to get its position or the number of entries so far.
    pub fn reader(&self) -> &SitemapReader<'a> {
        &self.reader
    }

    fn read(&mut self) -> Result<Option<Entry<'static>>, ReadError> {
        if self.reader.document()?.kind == DocumentKind::Index {
            return Err(ReadError::new(ReadErrorKind::Index, self.reader.position()));
        }
        while let Some(item) = self.reader.next()? {
            if let Item::Page(page) = item {
                return Ok(Some(page.into_entry().into_owned()));
            }
        }
        Ok(None)
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
