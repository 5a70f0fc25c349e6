//! The reader's state: the input, the findings and the current entry.

use super::draft::Draft;
use super::error::{ReadError, ReadErrorKind};
use super::finding::{Finding, Findings, MAX_FOUND, message};
use super::input::{Input, Problem};
use super::limits::ReadOptions;
use super::position::{LazyPosition, Span};
use super::well_formed::WellFormed;
use super::xml::Xml;
use crate::rule::Rule;

/// The reader's state between entries.
pub(super) struct Cursor<'a> {
    pub(super) options: ReadOptions,
    pub(super) input: Input<'a>,
    pub(super) xml: Xml,
    pub(super) findings: Findings,
    /// Checks whether the document is well-formed, if requested. It sees text when it is consumed, so the reader has
    /// already reported its findings about that text.
    check: Option<Box<WellFormed>>,
    /// The current entry.
    pub(super) draft: Draft,
    /// The normalised URL of the current entry, if it differs from the URL in the document.
    pub(super) buffer: String,
}

impl Cursor<'_> {
    pub(super) fn new(options: ReadOptions) -> Self {
        Self {
            options,
            input: Input::from_slice(b"", u64::MAX),
            xml: Xml::default(),
            findings: Findings::new(options.limits.findings, options.strict),
            check: None,
            draft: Draft::default(),
            buffer: String::new(),
        }
    }

    /// Turns the check for well-formedness on or off. Must be called before any text is consumed.
    pub(super) fn check_xml(&mut self, is_on: bool) {
        self.check = is_on.then(Box::default);
        self.findings.record_places(is_on);
    }

    /// Consumes a byte order mark.
    pub(super) fn skip_mark(&mut self) {
        let has_mark = self.input.skip_mark();
        if let Some(check) = &mut self.check {
            check.has_mark = has_mark;
        }
    }

    /// Consumes `len` bytes, which must end at the end of a token.
    pub(super) fn consume(&mut self, len: usize) {
        self.check(len);
        self.input.consume(len);
    }

    /// Consumes the current entry, which has `len` bytes.
    #[inline]
    pub(super) fn consume_entry(&mut self, len: usize) {
        if let Some(check) = &self.check
            && !(self.draft.spelling.is_well_formed && check.is_in_root())
        {
            self.check(len);
        }
        match self.draft.lines.take() {
            Some(lines) => self.input.consume_lines(len, lines),
            None => self.input.consume(len),
        }
    }

    /// Checks whether the next `len` bytes are well-formed.
    fn check(&mut self, len: usize) {
        let Some(check) = &mut self.check else { return };
        let (text, position) = (self.input.text(), self.input.lazy_position());
        check.read(text, len, self.input.at_end(), position.offset());
        if !check.violations.is_empty() {
            self.findings.add_violations(&mut check.violations, text, position.position());
        }
        self.findings.forget_places(position.offset() + len as u64);
    }

    /// Checks that the document is complete. All of its text must have been consumed.
    pub(super) fn check_end(&mut self) {
        let Some(check) = &mut self.check else { return };
        let position = self.input.position();
        check.end(0, position.offset);
        self.findings.add_violations(&mut check.violations, b"", position);
    }

    pub(super) fn limit(&self, limit: &'static str, max: u64) -> ReadError {
        self.refuse(ReadErrorKind::Limit { limit, max })
    }

    pub(super) fn refuse(&self, kind: ReadErrorKind) -> ReadError {
        ReadError::new(kind, self.input.position())
    }

    /// Reads more text. Adds a finding if the compressed data is damaged or truncated.
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

    /// Borrows the parts separately, because reading an entry needs several of them at once.
    #[inline]
    pub(super) fn parts(&mut self) -> Parts<'_> {
        Parts {
            position: self.input.lazy_position(),
            text: self.input.text(),
            at_end: self.input.at_end(),
            draft: &mut self.draft,
            xml: &mut self.xml,
            buffer: &mut self.buffer,
            findings: &mut self.findings,
        }
    }

    /// Adds a finding about `len` bytes of the remaining text, starting at offset `at`.
    pub(super) fn report(&mut self, rule: Rule, at: usize, len: usize) {
        if self.findings.is_full() {
            let offset = self.input.lazy_position().offset();
            self.findings.count(rule, offset + at as u64, len as u64);
            return;
        }
        // The next finding's position is computed from this one. Without this, each position would be computed from the
        // last mark, which may be far away.
        self.input.set_mark();
        let text = self.input.text();
        let span = Span::new(self.input.position().after(&text[..at]), len as u64);
        let found = String::from_utf8_lossy(&text[at..at + len.min(MAX_FOUND)]);
        self.findings.push(Finding::new(rule, span, message(rule, &found)));
    }
}

/// The parts of a [`Cursor`], each borrowed separately.
pub(super) struct Parts<'r> {
    pub(super) position: LazyPosition<'r>,
    pub(super) text: &'r [u8],
    pub(super) at_end: bool,
    pub(super) draft: &'r mut Draft,
    pub(super) xml: &'r mut Xml,
    pub(super) buffer: &'r mut String,
    pub(super) findings: &'r mut Findings,
}

/// The result of a search for the next entry.
pub(super) enum Step {
    /// A valid entry at the start of the input. Its values are in `Cursor::draft`.
    Entry,
    /// An entry without a valid URL, with its length in bytes.
    Bad(usize),
    /// A line that contains only white space, with its length in bytes.
    Blank(usize),
    /// The end of the document.
    End,
}
