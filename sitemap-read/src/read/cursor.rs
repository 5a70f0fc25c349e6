//! Where reading is in a document, and how it reports what it finds there.

use super::draft::Draft;
use super::error::{ReadError, ReadErrorKind};
use super::finding::{Finding, Findings, message};
use super::input::{Input, Problem};
use super::limits::ReadOptions;
use super::position::{Lines, Near, Span};
use super::xml::Xml;
use crate::rule::Rule;

/// A document between two entries.
pub(super) struct Cursor<'a> {
    pub(super) options: ReadOptions,
    pub(super) input: Input<'a>,
    pub(super) xml: Xml,
    pub(super) findings: Findings,
    /// The entry that is being read.
    pub(super) draft: Draft,
    /// Its address, if the document does not have it as it is.
    pub(super) buffer: String,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(options: ReadOptions) -> Self {
        Self {
            options,
            input: Input::from_slice(b"", u64::MAX),
            xml: Xml::default(),
            findings: Findings::new(options.limits.findings, options.strict),
            draft: Draft::default(),
            buffer: String::new(),
        }
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

/// See [`Cursor::parts`].
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
