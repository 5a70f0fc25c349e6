//! The reader: entry by entry, from any of the formats.

use std::borrow::Cow;
use std::io::Read;
use std::str;

use super::document::{Document, DocumentKind};
use super::draft::{Draft, LocAt};
use super::error::{ReadError, ReadErrorKind};
use super::finding::{Finding, Findings, quoted};
use super::input::{Input, Problem};
use super::item::{Item, PageItem, Place, SitemapItem};
use super::limits::ReadOptions;
use super::open::{Opened, Raw, open};
use super::position::{Lines, Near, Position, Span};
use super::xml::Xml;
use crate::rule::Rule;
use sitemap_core::Dialect;
use sitemap_core::Entry;

/// Reads a sitemap, sitemap index, text sitemap or feed, entry by entry.
///
/// The content decides what it is, whatever the file is called: see [`Document`]. Memory does not
/// grow with the number of entries. What is wrong is mended where the meaning is clear, and reported
/// as a [`Finding`]; only a document that is no sitemap at all, or that exceeds a
/// [limit](crate::ReadLimits), is an error. The [table of decisions](crate::read) says what is
/// done about each defect.
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
pub struct SitemapReader<'a> {
    options: ReadOptions,
    /// What to read, until it is opened.
    raw: Option<Raw<'a>>,
    input: Input<'a>,
    document: Option<Document>,
    pub(super) xml: Xml,
    pub(super) findings: Findings,
    /// The entry that is being read.
    draft: Draft,
    /// Its address, if that is not in the document as it is.
    buffer: String,
    /// Bytes of the last entry, used up when the next one is asked for.
    pending: usize,
    entries: u64,
    left_out: u64,
    /// After how many entries there is something to be said of their number.
    entries_noted: u64,
    done: bool,
}

impl<'a> SitemapReader<'a> {
    /// Reads bytes that are in memory; entries borrow from them where nothing has to be decoded.
    #[must_use]
    pub fn from_slice(bytes: &'a [u8]) -> Self {
        Self::from_slice_with(bytes, ReadOptions::new())
    }

    /// Reads bytes that are in memory, with options.
    #[must_use]
    pub fn from_slice_with(bytes: &'a [u8], options: ReadOptions) -> Self {
        Self::new(Raw::Slice(bytes), options)
    }

    /// Reads a stream. It is read in large steps and needs no buffer of its own.
    #[must_use]
    pub fn from_reader(source: impl Read + Send + 'a) -> Self {
        Self::from_reader_with(source, ReadOptions::new())
    }

    /// Reads a stream, with options.
    #[must_use]
    pub fn from_reader_with(source: impl Read + Send + 'a, options: ReadOptions) -> Self {
        Self::new(Raw::Read(Box::new(source)), options)
    }

    fn new(raw: Raw<'a>, options: ReadOptions) -> Self {
        Self {
            options,
            raw: Some(raw),
            input: Input::from_slice(b"", u64::MAX),
            document: None,
            xml: Xml::default(),
            findings: Findings::new(options.limits.findings, options.strict),
            draft: Draft::default(),
            buffer: String::new(),
            pending: 0,
            entries: 0,
            left_out: 0,
            entries_noted: 0,
            done: false,
        }
    }

    /// What the document is. Reads no more than its head.
    ///
    /// # Errors
    ///
    /// If it is no sitemap, or cannot be read.
    pub fn document(&mut self) -> Result<Document, ReadError> {
        if let Some(document) = self.document {
            return Ok(document);
        }
        if self.done {
            return Err(ReadError::new(ReadErrorKind::Aborted, self.input.position()));
        }
        let opened = self.open();
        self.done = opened.is_err();
        opened
    }

    /// The next entry; `None` at the end of the document, and after an error.
    ///
    /// # Errors
    ///
    /// If the document is no sitemap, exceeds a limit or cannot be read, and in strict mode at the
    /// first violation. What was read before stands.
    #[allow(clippy::should_implement_trait)] // it lends, which `Iterator` cannot
    pub fn next(&mut self) -> Result<Option<Item<'_>>, ReadError> {
        if self.done {
            return Ok(None);
        }
        match self.advance() {
            Ok(true) if !self.findings.has_violation() => self.item(),
            Ok(_) => self.stop(Ok(())),
            Err(error) => self.stop(Err(error)),
        }
    }

    /// The findings since they were last fetched, in the order of reading.
    ///
    /// Fetch them now and then: no more than [`ReadLimits::findings`](crate::ReadLimits::findings)
    /// wait.
    pub fn drain_findings(&mut self) -> impl ExactSizeIterator<Item = Finding> + '_ {
        self.findings.drain()
    }

    /// How many findings there were so far, fetched or not.
    #[must_use]
    pub fn findings_total(&self) -> u64 {
        self.findings.total()
    }

    /// How many findings could not wait and were only counted.
    #[must_use]
    pub fn findings_dropped(&self) -> u64 {
        self.findings.dropped()
    }

    /// How many entries were met so far, good and bad.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// How many of the entries were left out, as their address is missing or cannot be mended. A
    /// finding says it of each.
    ///
    /// ```
    /// use sitemap_read::SitemapReader;
    ///
    /// let urls = format!("https://example.com/{}\nhttps://example.com/\n", "a".repeat(2_028));
    /// let mut reader = SitemapReader::from_slice(urls.as_bytes());
    /// assert_eq!(reader.next()?.unwrap().loc().as_str(), "https://example.com/");
    /// assert!(reader.next()?.is_none());
    /// assert_eq!((reader.entries(), reader.left_out()), (2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How far reading came.
    #[must_use]
    pub fn position(&self) -> Position {
        self.input.position()
    }

    fn open(&mut self) -> Result<Document, ReadError> {
        let Some(raw) = self.raw.take() else {
            return Err(ReadError::new(ReadErrorKind::Aborted, self.input.position()));
        };
        let Opened { input, gzip, encoding, findings } = open(raw, &self.options.limits)?;
        self.input = input;
        for (rule, message) in findings {
            self.findings.push(Finding::new(rule, Span::new(Position::START, 0), message));
        }
        let kind = self.begin()?;
        let document = Document { kind, dialect: self.xml.dialect, gzip, encoding };
        self.document = Some(document);
        self.entries_noted = most_entries(&document).min(self.options.limits.entries);
        Ok(document)
    }

    /// Ends reading: with an error, at the first violation, or because there is no more.
    #[cold]
    fn stop(&mut self, end: Result<(), ReadError>) -> Result<Option<Item<'_>>, ReadError> {
        self.done = true;
        end?;
        self.findings.take_violation().map_or(Ok(None), |finding| Err(violation(finding)))
    }

    /// Finds the next good entry and leaves the input at its start; `false` at the end.
    #[inline]
    fn advance(&mut self) -> Result<bool, ReadError> {
        let document = match self.document {
            Some(document) => document,
            None => self.document()?,
        };
        loop {
            match (std::mem::take(&mut self.pending), self.draft.lines.take()) {
                (0, _) => {}
                (len, Some(lines)) => self.input.consume_lines(len, lines),
                (len, None) => self.input.consume(len),
            }
            let step = if self.next_fast()? {
                Step::Entry
            } else if document.kind == DocumentKind::Text {
                self.next_line()?
            } else {
                self.next_element()?
            };
            match step {
                Step::Entry => {
                    self.pending = self.draft.len;
                    self.count(&document, self.pending)?;
                    return Ok(true);
                }
                Step::Bad(len) => {
                    self.left_out += 1;
                    self.pending = len;
                    self.count(&document, len)?;
                }
                Step::Blank(len) => self.pending = len,
                Step::End => return Ok(false),
            }
            if self.findings.has_violation() {
                return Ok(false);
            }
        }
    }

    /// The entry that was drafted.
    #[inline]
    fn item(&mut self) -> Result<Option<Item<'_>>, ReadError> {
        let draft = &self.draft;
        let text = self.input.text();
        let place = Place {
            near: self.input.near(),
            source: &text[..draft.len],
            values: draft.values,
            looks: draft.looks,
        };
        let loc = match draft.loc {
            // It was checked to be ASCII.
            LocAt::Text(start, end) => str::from_utf8(&text[start..end]).unwrap_or_default(),
            LocAt::Buffer => &*self.buffer,
        };
        let loc = sitemap_core::__read::trusted_loc(Cow::Borrowed(loc));
        if draft.is_sitemap {
            return Ok(Some(Item::Sitemap(SitemapItem { loc, lastmod: draft.lastmod, place })));
        }
        let mut entry = Entry::new(loc)
            .with_lastmod(draft.lastmod)
            .with_changefreq(draft.changefreq)
            .with_priority(draft.priority);
        if !draft.is_plain {
            entry = self.xml.extend(entry, text, self.options.keep_elements);
            let notes = self.xml.collected.notes.drain(..);
            settle(&mut self.findings, notes, &mut self.xml.said, text, place.start());
            if let Some(finding) = self.findings.take_violation() {
                self.done = true;
                return Err(violation(finding));
            }
        }
        Ok(Some(Item::Page(PageItem { entry, place })))
    }

    #[inline]
    fn count(&mut self, document: &Document, len: usize) -> Result<(), ReadError> {
        self.entries += 1;
        if self.entries > self.entries_noted { self.count_many(document, len) } else { Ok(()) }
    }

    /// Counts an entry that is one more than may be.
    #[cold]
    fn count_many(&mut self, document: &Document, len: usize) -> Result<(), ReadError> {
        if self.entries > self.options.limits.entries {
            return Err(self.limit("entries", self.options.limits.entries));
        }
        let most = most_entries(document);
        if self.entries == most + 1 {
            let message = format!("the file has more than {most} entries");
            let span = Span::new(self.input.position(), len as u64);
            self.findings.push(Finding::new(Rule::TooManyEntries, span, message));
        }
        self.entries_noted = self.options.limits.entries;
        Ok(())
    }

    pub(super) fn limit(&self, limit: &'static str, most: u64) -> ReadError {
        self.refuse(ReadErrorKind::Limit { limit, most })
    }

    pub(super) fn refuse(&self, kind: ReadErrorKind) -> ReadError {
        ReadError::new(kind, self.input.position())
    }

    /// Has more text to look at, or notes why there is none.
    pub(super) fn more(&mut self) -> Result<(), ReadError> {
        let (rule, message) = match self.input.more()? {
            None => return Ok(()),
            Some(Problem::GzipDamaged(why)) => {
                (Rule::GzipDamaged, format!("the compressed file is damaged: {why}"))
            }
            Some(_) => (Rule::GzipTruncated, Rule::GzipTruncated.summary().to_owned()),
        };
        let position = self.input.position().after(self.input.text());
        self.findings.push(Finding::new(rule, Span::new(position, 0), message));
        Ok(())
    }

    #[inline]
    pub(super) fn input(&self) -> &Input<'a> {
        &self.input
    }

    #[inline]
    pub(super) fn options(&self) -> &ReadOptions {
        &self.options
    }

    pub(super) fn skip_mark(&mut self) {
        self.input.skip_mark();
    }

    pub(super) fn consume(&mut self, len: usize) {
        self.input.consume(len);
    }

    #[inline]
    pub(super) fn consume_lines(&mut self, len: usize, lines: Lines) {
        self.input.consume_lines(len, lines);
    }

    /// The parts that reading an entry needs at once.
    #[inline]
    pub(super) fn parts(&mut self) -> Parts<'_> {
        Parts {
            near: self.input.near(),
            text: self.input.text(),
            at_end: self.input.at_end(),
            draft: &mut self.draft,
            xml: &mut self.xml,
            buffer: &mut self.buffer,
            findings: &mut self.findings,
        }
    }

    /// Says something of the text ahead.
    pub(super) fn find(&mut self, rule: Rule, at: usize, len: usize) {
        let text = self.input.text();
        let span = Span::new(self.input.position().after(&text[..at]), len as u64);
        let found = String::from_utf8_lossy(&text[at..at + len]);
        self.findings.push(Finding::new(rule, span, message(rule, &found)));
    }
}

impl std::fmt::Debug for SitemapReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SitemapReader")
            .field("document", &self.document)
            .field("position", &self.input.position())
            .field("entries", &self.entries)
            .finish_non_exhaustive()
    }
}

/// See [`SitemapReader::parts`].
pub(super) struct Parts<'r> {
    pub(super) near: Near<'r>,
    pub(super) text: &'r [u8],
    pub(super) at_end: bool,
    pub(super) draft: &'r mut Draft,
    pub(super) xml: &'r mut Xml,
    pub(super) buffer: &'r mut String,
    pub(super) findings: &'r mut Findings,
}

/// Where looking for the next entry came to.
pub(super) enum Step {
    /// A good one, which begins where the input is; it is in the draft.
    Entry,
    /// One without an address, so long.
    Bad(usize),
    /// Something that is no entry at all, so long.
    Blank(usize),
    /// The end of the document.
    End,
}

impl Draft {
    /// Takes over an entry, unless it is a bad one, so long.
    pub(super) fn take(&mut self, entry: Option<Self>, len: usize) -> Step {
        match entry {
            None => Step::Bad(len),
            Some(entry) => {
                *self = entry;
                Step::Entry
            }
        }
    }
}

/// How many entries the protocol allows.
fn most_entries(document: &Document) -> u64 {
    let limits = document.dialect.unwrap_or(Dialect::V0_9).limits();
    if document.kind == DocumentKind::Index { limits.sitemaps } else { limits.urls }
}

fn violation(finding: Finding) -> ReadError {
    let position = finding.span().start;
    ReadError::new(ReadErrorKind::Violation(finding), position)
}

fn message(rule: Rule, found: &str) -> String {
    let summary = rule.summary();
    if found.is_empty() { summary.to_owned() } else { format!("{summary}, found {}", quoted(found)) }
}

/// Makes findings of notes, whose places count from `base`.
pub(super) fn settle(
    findings: &mut Findings,
    notes: impl Iterator<Item = super::collect::Note>,
    said: &mut Vec<Rule>,
    text: &[u8],
    base: Position,
) {
    // Notes mostly come in order, so that each place is found from the one before.
    let (mut at, mut position) = (0, base);
    for note in notes {
        // One sentence about a namespace is enough.
        if matches!(
            note.rule,
            Rule::NamespaceUndeclared
                | Rule::ExtensionNamespace
                | Rule::NamespaceMissing
                | Rule::MixedDialects
        ) {
            if said.contains(&note.rule) {
                continue;
            }
            said.push(note.rule);
        }
        if findings.is_full() {
            findings.count();
            continue;
        }
        if note.at < at {
            (at, position) = (0, base);
        }
        let place = note.at.min(text.len());
        position = position.after(&text[at..place]);
        at = place;
        let span = Span::new(position, note.len as u64);
        let found = String::from_utf8_lossy(&text[place..(place + note.len).min(text.len())]);
        let message = note.message.unwrap_or_else(|| message(note.rule, &found).into());
        findings.push(Finding::new(note.rule, span, message));
    }
}
