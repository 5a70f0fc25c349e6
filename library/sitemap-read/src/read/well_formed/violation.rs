//! The violations in a document, with their positions.

use std::collections::BTreeMap;

use super::super::finding::{Finding, message, quoted};
use super::super::position::{Position, Span};
use crate::rule::Rule;

/// A violation of XML's rules.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    pub(crate) finding: Finding,
    /// The offset of the markup with the violation. If an element isn't closed properly, this is its start tag.
    pub(crate) from: u64,
}

/// The violations found so far, and a known position to compute further positions from.
#[derive(Debug)]
pub(super) struct Violations {
    found: Vec<Violation>,
    max: usize,
    /// The number of violations per rule that were counted but not kept.
    omitted: BTreeMap<Rule, u64>,
    /// The position of the start of the current text.
    base: Position,
    /// The first offset in the current text where there can be a violation, and its position. Differs from `base` only
    /// after a byte order mark.
    first: (usize, Position),
    /// An offset in the current text, and its position.
    mark: (usize, Position),
    /// The span of the reference whose replacement text is being checked. The replacement text itself has no positions
    /// in the document.
    pub(super) pin: Option<Span>,
}

/// The maximum number of bytes of the document to show in a message.
const SHOWN: usize = 500;

impl Violations {
    pub(super) const fn new(max: usize) -> Self {
        Self {
            found: Vec::new(),
            max,
            omitted: BTreeMap::new(),
            base: Position::START,
            first: (0, Position::START),
            mark: (0, Position::START),
            pin: None,
        }
    }

    /// Starts the text that follows the first `len` bytes of `text`.
    pub(super) fn advance(&mut self, text: &[u8], len: usize) {
        let position = self.position(text, len);
        self.base = position;
        self.first = (0, position);
        self.mark = self.first;
    }

    /// Skips a byte order mark, which counts for the offset but not for the column.
    pub(super) fn skip_mark(&mut self, len: usize) {
        self.first.0 += len;
        self.first.1.offset += len as u64;
        self.mark = self.first;
    }

    pub(super) fn offset(&self, at: usize) -> u64 {
        self.pin.map_or(self.base.offset + at as u64, |span| span.start.offset)
    }

    pub(super) fn span(&mut self, text: &[u8], start: usize, end: usize) -> Span {
        self.pin.unwrap_or_else(|| Span::new(self.position(text, start), (end - start) as u64))
    }

    fn position(&mut self, text: &[u8], at: usize) -> Position {
        let (from, known) = self.mark;
        let position = if at >= from {
            known.after(&text[from..at])
        } else {
            // Compute this backwards from the mark, because the start of the text may be far away.
            let (first, position) = self.first;
            known.before(&text[at..from], &text[..at]).unwrap_or_else(|| position.after(&text[first..at]))
        };
        self.mark = (at, position);
        position
    }

    /// Adds a violation in the bytes from `start` to `end`. If `what` is empty, the message uses the rule's summary.
    #[cold]
    pub(super) fn add(&mut self, rule: Rule, what: &str, text: &[u8], (start, end): (usize, usize)) {
        self.add_from(self.offset(start), rule, what, text, (start, end));
    }

    /// Adds a violation inside the markup at offset `from` of the document.
    #[cold]
    pub(super) fn add_from(
        &mut self,
        from: u64,
        rule: Rule,
        what: &str,
        text: &[u8],
        (start, end): (usize, usize),
    ) {
        if self.found.len() >= self.max {
            *self.omitted.entry(rule).or_default() += 1;
            return;
        }
        let span = self.span(text, start, end);
        let found = String::from_utf8_lossy(&text[start..end.min(start + SHOWN)]);
        let message = match (what, &*found) {
            ("", found) => message(rule, found),
            (what, "") => what.to_owned(),
            (what, found) => format!("{what}, found {}", quoted(found)),
        };
        self.found.push(Violation { finding: Finding::new(rule, span, message), from });
    }

    pub(super) fn drain(&mut self) -> std::vec::Drain<'_, Violation> {
        self.found.drain(..)
    }

    /// Returns, for each rule, how many violations were counted but not kept since the last call.
    pub(super) fn take_omitted(&mut self) -> BTreeMap<Rule, u64> {
        std::mem::take(&mut self.omitted)
    }
}
