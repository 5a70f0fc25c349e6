//! The reader, which yields the entries of documents in all supported formats.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::str;

use super::cursor::{Cursor, Step};
use super::detect::{Opened, Raw, open};
use super::document::{Document, DocumentKind};
use super::draft::LocAt;
use super::error::{ReadError, ReadErrorKind};
use super::finding::Finding;
use super::item::{Item, PageItem, Place, SitemapItem};
use super::limits::ReadOptions;
use super::position::{Position, Span};
use crate::rule::Rule;
use sitemap_core::Dialect;
use sitemap_core::Entry;

/// Reads the entries of a sitemap, sitemap index, text sitemap or feed, one at a time.
///
/// The reader detects the kind of [`Document`] from the content, not from the file name. Its memory use doesn't grow
/// with the number of entries. It repairs defects whose intended meaning is clear, and reports each defect as a
/// [`Finding`]. It returns an error for a document that isn't a sitemap or exceeds a [limit](crate::ReadLimits). The
/// [table of decisions](crate::read) lists how each defect is treated.
///
/// ```
/// use sitemap_read::{Item, Rule, SitemapReader};
///
/// let xml = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <url><loc>https://example.com/a?b=1&c=2</loc><lastmod>2024-03-09 16:05:30</lastmod></url>
/// </urlset>"#;
/// let mut reader = SitemapReader::from_slice(xml);
/// while let Some(item) = reader.next()? {
///     assert_eq!(item.loc().as_str(), "https://example.com/a?b=1&c=2");
///     assert_eq!(item.lastmod().unwrap().to_string(), "2024-03-09T16:05:30Z");
/// }
/// let findings: Vec<_> = reader.drain_findings().collect();
/// assert_eq!(findings[0].rule(), Rule::AmpersandRaw);
/// assert_eq!(findings[1].rule(), Rule::LastModBlank);
/// assert_eq!((findings[1].span().start.line, findings[1].span().start.column), (2, 55));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "readers are lazy and read nothing until `next` is called"]
pub struct SitemapReader<'a> {
    /// The source of the bytes. `None` once the document is open.
    raw: Option<Raw<'a>>,
    pub(super) cursor: Cursor<'a>,
    document: Option<Document>,
    /// The length of the last entry in bytes. The next call of `next` consumes that entry.
    pending: usize,
    entries: u64,
    dropped_entries: u64,
    /// While `entries` doesn't exceed this number, the limits on the number of entries don't need to be checked.
    entries_noted: u64,
    done: bool,
    /// True if the last call of `advance` stopped because findings should be taken.
    is_paused: bool,
}

impl<'a> SitemapReader<'a> {
    /// Creates a reader for bytes in memory. Entries borrow from these bytes, except for values that must be decoded.
    pub fn from_slice(bytes: &'a [u8]) -> Self {
        Self::from_slice_with(bytes, ReadOptions::new())
    }

    /// Creates a reader for bytes in memory, with options.
    pub fn from_slice_with(bytes: &'a [u8], options: ReadOptions) -> Self {
        Self::new(Raw::Slice(bytes), options)
    }

    /// Creates a reader for a stream. The stream doesn't need to be buffered, because the reader reads large chunks.
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// use sitemap_read::SitemapReader;
    ///
    /// let stream = b"https://example.com/a\n".chain(&b"https://example.com/b\n"[..]);
    /// let mut reader = SitemapReader::from_reader(stream);
    /// assert_eq!(reader.next()?.unwrap().loc(), "https://example.com/a");
    /// assert_eq!(reader.next()?.unwrap().loc(), "https://example.com/b");
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn from_reader(source: impl Read + Send + 'a) -> Self {
        Self::from_reader_with(source, ReadOptions::new())
    }

    /// Creates a reader for a stream, with options.
    pub fn from_reader_with(source: impl Read + Send + 'a, options: ReadOptions) -> Self {
        Self::new(Raw::Read(Box::new(source)), options)
    }

    fn new(raw: Raw<'a>, options: ReadOptions) -> Self {
        Self {
            raw: Some(raw),
            cursor: Cursor::new(options),
            document: None,
            pending: 0,
            entries: 0,
            dropped_entries: 0,
            entries_noted: 0,
            done: false,
            is_paused: false,
        }
    }

    /// Also checks whether the document is well-formed XML. [`next`](Self::next) then also returns `Ok(None)` when the
    /// findings should be taken (see [`is_done`](Self::is_done)). Must be called before anything is read.
    pub(crate) fn check_xml(&mut self) {
        self.cursor.check_xml(true);
    }

    /// Returns `true` once there are no further entries.
    pub(crate) const fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the number of findings per rule that were counted but not kept since the last call.
    pub(crate) fn take_omitted(&mut self) -> BTreeMap<Rule, u64> {
        self.cursor.findings.take_omitted()
    }

    /// Returns `true` if any findings are waiting, or were counted but not kept.
    pub(crate) fn has_findings(&self) -> bool {
        self.cursor.findings.has_any()
    }

    /// Returns the kind and encoding of the document. This only reads the start of the document.
    ///
    /// # Errors
    ///
    /// Returns [`ReadErrorKind::Empty`], [`Html`](ReadErrorKind::Html), [`UnknownRoot`](ReadErrorKind::UnknownRoot) or
    /// [`NotASitemap`](ReadErrorKind::NotASitemap) if the document is not a sitemap,
    /// [`NoGzip`](ReadErrorKind::NoGzip) or [`Encoding`](ReadErrorKind::Encoding) if it cannot be decoded,
    /// [`Limit`](ReadErrorKind::Limit) if it exceeds a limit, [`Io`](ReadErrorKind::Io) if the source fails, and
    /// [`Aborted`](ReadErrorKind::Aborted) after an earlier error.
    pub fn document(&mut self) -> Result<Document, ReadError> {
        if let Some(document) = self.document {
            return Ok(document);
        }
        if self.done {
            return Err(ReadError::new(ReadErrorKind::Aborted, self.cursor.input.position()));
        }
        let opened = self.open();
        self.done = opened.is_err();
        opened
    }

    /// Returns the next entry. Returns `None` at the end of the document and after an error.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`document`](Self::document), except `Aborted`. Also returns [`ReadErrorKind::Limit`] if
    /// the document exceeds a limit, [`Io`](ReadErrorKind::Io) if the source fails, and, in strict mode,
    /// [`Violation`](ReadErrorKind::Violation) at the first finding that is an error. Entries read before the error
    /// remain valid.
    #[allow(clippy::should_implement_trait)] // `Iterator` cannot lend entries
    pub fn next(&mut self) -> Result<Option<Item<'_>>, ReadError> {
        if self.done {
            return Ok(None);
        }
        match self.advance() {
            Ok(true) if !self.cursor.findings.has_violation() => self.item(),
            Ok(false) if self.is_paused => Ok(None),
            Ok(_) => self.stop(Ok(())),
            Err(error) => self.stop(Err(error)),
        }
    }

    /// Returns the findings that were added since the last call, oldest first.
    ///
    /// Call this regularly. The reader keeps at most [`ReadLimits::findings`](crate::ReadLimits::findings) findings and
    /// only counts further ones.
    pub fn drain_findings(&mut self) -> impl ExactSizeIterator<Item = Finding> + '_ {
        self.cursor.findings.drain()
    }

    /// Returns the number of findings so far, including those that were counted but not kept.
    #[must_use]
    pub fn findings_total(&self) -> u64 {
        self.cursor.findings.total()
    }

    /// Returns the number of findings that were counted but not kept, because they exceeded
    /// [`ReadLimits::findings`](crate::ReadLimits::findings).
    #[must_use]
    pub fn findings_omitted(&self) -> u64 {
        self.cursor.findings.omitted().values().sum()
    }

    /// Returns, for each rule, how many findings were counted but not kept.
    pub fn omitted(&self) -> impl Iterator<Item = (Rule, u64)> + '_ {
        self.cursor.findings.omitted().iter().map(|(&rule, &count)| (rule, count))
    }

    /// Returns the number of entries so far, valid and invalid.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Returns the number of entries that were dropped because their URL is missing or can't be repaired. Each of them
    /// has a finding with the reason.
    ///
    /// ```
    /// use sitemap_read::SitemapReader;
    ///
    /// let urls = format!("https://example.com/{}\nhttps://example.com/\n", "a".repeat(2_028));
    /// let mut reader = SitemapReader::from_slice(urls.as_bytes());
    /// assert_eq!(reader.next()?.unwrap().loc().as_str(), "https://example.com/");
    /// assert!(reader.next()?.is_none());
    /// assert_eq!((reader.entries(), reader.dropped_entries()), (2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn dropped_entries(&self) -> u64 {
        self.dropped_entries
    }

    /// Returns the rule of the first finding that means that part of the document could not be read, because it is
    /// damaged or cut off. The result is only final once [`next`](Self::next) has returned `Ok(None)`.
    ///
    /// ```
    /// use sitemap_read::{Rule, SitemapReader};
    ///
    /// let cut = b"<urlset><url><loc>https://example.com/</loc></url>";
    /// let mut reader = SitemapReader::from_slice(cut);
    /// while reader.next()?.is_some() {}
    /// assert_eq!(reader.incomplete(), Some(Rule::Truncated));
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    #[must_use]
    pub fn incomplete(&self) -> Option<Rule> {
        self.cursor.findings.incomplete()
    }

    /// Returns the current position. After [`next`](Self::next) has returned an entry, this is the start of that entry.
    #[must_use]
    pub fn position(&self) -> Position {
        self.cursor.input.position()
    }

    fn open(&mut self) -> Result<Document, ReadError> {
        let Some(raw) = self.raw.take() else {
            return Err(ReadError::new(ReadErrorKind::Aborted, self.cursor.input.position()));
        };
        let Opened { input, gzip, encoding, findings } = open(raw, &self.cursor.options.limits)?;
        self.cursor.input = input;
        for (rule, message) in findings {
            self.cursor.findings.push(Finding::new(rule, Span::START, message));
        }
        let kind = self.cursor.recognise()?;
        if kind == DocumentKind::Text {
            self.cursor.check_xml(false);
        }
        let document = Document { kind, dialect: self.cursor.xml.dialect(), gzip, encoding };
        self.document = Some(document);
        self.entries_noted = max_entries(&document).min(self.cursor.options.limits.entries);
        Ok(document)
    }

    /// Ends reading. Returns the error in `end`, the finding that stops a strict reader, or `None` at the end of the
    /// document.
    #[cold]
    fn stop(&mut self, end: Result<(), ReadError>) -> Result<Option<Item<'_>>, ReadError> {
        self.done = true;
        end?;
        self.cursor.findings.take_violation().map_or(Ok(None), |finding| Err(violation(finding)))
    }

    /// Moves to the start of the next valid entry. Returns `false` at the end of the document, when a finding stops a
    /// strict reader, and when a check should take the findings.
    #[inline]
    fn advance(&mut self) -> Result<bool, ReadError> {
        let document = match self.document {
            Some(document) => document,
            None => self.document()?,
        };
        self.is_paused = false;
        loop {
            match std::mem::take(&mut self.pending) {
                0 => {}
                len => self.cursor.consume_entry(len),
            }
            let step = if self.cursor.next_fast()? {
                Step::Entry
            } else if document.kind == DocumentKind::Text {
                self.cursor.next_line()?
            } else {
                self.cursor.next_element()?
            };
            match step {
                Step::Entry => {
                    self.pending = self.cursor.draft.len;
                    self.count(&document, self.pending)?;
                    return Ok(true);
                }
                Step::Bad(len) => {
                    self.dropped_entries += 1;
                    self.pending = len;
                    self.count(&document, len)?;
                }
                Step::Blank(len) => self.pending = len,
                Step::End => {
                    self.cursor.check_end();
                    return Ok(false);
                }
            }
            self.is_paused = self.cursor.findings.should_be_taken();
            if self.is_paused || self.cursor.findings.has_violation() {
                return Ok(false);
            }
        }
    }

    /// Builds the current entry from the values in `Cursor::draft`.
    #[inline]
    fn item(&mut self) -> Result<Option<Item<'_>>, ReadError> {
        let draft = &self.cursor.draft;
        let text = self.cursor.input.text();
        let place = Place {
            position: self.cursor.input.lazy_position(),
            source: &text[..draft.len],
            values: draft.values,
            spelling: draft.spelling,
        };
        let loc = match draft.loc {
            // This can't fail, because the range has been checked to be ASCII.
            LocAt::Text(start, end) => str::from_utf8(&text[start..end]).unwrap_or_default(),
            LocAt::Buffer => &*self.cursor.buffer,
        };
        let loc = sitemap_core::reading::trusted_loc(Cow::Borrowed(loc));
        if draft.is_sitemap {
            return Ok(Some(Item::Sitemap(SitemapItem { loc, lastmod: draft.lastmod, place })));
        }
        let mut entry = Entry::new(loc)
            .with_lastmod(draft.lastmod)
            .with_changefreq(draft.changefreq)
            .with_priority(draft.priority);
        let mut ignored_versions = Vec::new();
        if !draft.is_plain && draft.is_outlined {
            let xml = &mut self.cursor.xml;
            match xml.outline.attach(entry, place.source, &mut xml.origins) {
                Ok(entry) => return Ok(Some(Item::Page(PageItem { entry, place, ignored_versions }))),
                Err(plain) => entry = plain,
            }
            xml.collect(place.source, &self.cursor.options.limits);
        }
        if !draft.is_plain {
            (entry, ignored_versions) =
                self.cursor.xml.extend(entry, text, self.cursor.options.keep_elements);
            let notes = self.cursor.xml.collected.notes.drain(..);
            self.cursor.findings.add_notes(notes, &mut self.cursor.xml.reported, text, place.start());
            if let Some(finding) = self.cursor.findings.take_violation() {
                self.done = true;
                return Err(violation(finding));
            }
        }
        Ok(Some(Item::Page(PageItem { entry, place, ignored_versions })))
    }

    #[inline]
    fn count(&mut self, document: &Document, len: usize) -> Result<(), ReadError> {
        self.entries += 1;
        if self.entries > self.entries_noted { self.count_many(document, len) } else { Ok(()) }
    }

    /// Called when the number of entries exceeds a limit. Returns an error for a limit of the reader, and adds a
    /// finding for a limit of the protocol.
    #[cold]
    fn count_many(&mut self, document: &Document, len: usize) -> Result<(), ReadError> {
        if self.entries > self.cursor.options.limits.entries {
            return Err(self.cursor.limit("entries", self.cursor.options.limits.entries));
        }
        let max = max_entries(document);
        if self.entries == max + 1 {
            let message = format!("the file has more than {max} entries");
            let span = Span::new(self.cursor.input.position(), len as u64);
            self.cursor.findings.push(Finding::new(Rule::TooManyEntries, span, message));
        }
        self.entries_noted = self.cursor.options.limits.entries;
        Ok(())
    }
}

impl std::fmt::Debug for SitemapReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SitemapReader")
            .field("document", &self.document)
            .field("position", &self.cursor.input.position())
            .field("entries", &self.entries)
            .finish_non_exhaustive()
    }
}

/// Returns the protocol's maximum number of entries for this document.
fn max_entries(document: &Document) -> u64 {
    let limits = document.dialect.unwrap_or(Dialect::V0_9).limits();
    if document.kind == DocumentKind::Index { limits.sitemaps } else { limits.urls }
}

fn violation(finding: Finding) -> ReadError {
    let position = finding.span().start;
    ReadError::new(ReadErrorKind::Violation(finding), position)
}
