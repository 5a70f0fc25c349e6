//! Checks whether a document is well-formed according to XML 1.0 (fifth edition) and Namespaces in XML 1.0.
//!
//! The reader is lenient and repairs what it can. This check is strict: it finds every document that a conforming XML
//! parser rejects, except for mistakes in a DTD, which is skipped. It knows nothing about sitemaps. It sees the same
//! tokens as the reader. After a violation that doesn't affect the structure, such as a raw `&`, the check continues.
//! After any other violation, it ends, as a parser would.

mod chars;
mod content;
mod declaration;
mod names;
mod reference;
mod tag;
mod violation;

use super::finding::{Finding, Findings};
use super::position::Position;
use super::token::{Token, TokenKind, token};
use crate::rule::Rule;
pub(super) use chars::is_char;
use names::Prefixes;
pub(super) use violation::{Reported, Violation};

/// Returns up to 100 violations of XML 1.0 and Namespaces in XML in a document.
///
/// A document without violations is well-formed, so conforming XML parsers accept it, unless there is a mistake in its
/// DTD. [`Checker`](crate::Checker) reports the same findings, along with those about sitemaps.
///
/// ```
/// use sitemap_read::{Rule, xml_violations};
///
/// assert!(xml_violations(b"<a>tea</a>").is_empty());
/// let violations = xml_violations(b"<a>tea & cake</a>");
/// assert_eq!((violations.len(), violations[0].rule()), (1, Rule::AmpersandRaw));
/// ```
#[must_use]
pub fn xml_violations(document: &[u8]) -> Vec<Finding> {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    let mut check = WellFormed::default();
    let mut position = Position::START;
    let text = document.strip_prefix(MARK).unwrap_or(document);
    if text.len() < document.len() {
        check.has_mark = true;
        position.offset = MARK.len() as u64;
    }
    check.read(text, text.len(), true, position.offset);
    check.end(text.len(), document.len() as u64);
    let mut findings = Findings::new(100, false);
    findings.add_violations(&mut check.violations, text, position);
    findings.drain().collect()
}

/// A check in progress.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(super) struct WellFormed {
    /// The violations in the last text, to be drained by the caller.
    pub(super) violations: Vec<Violation>,
    /// True if the document starts with a byte order mark.
    pub(super) has_mark: bool,
    part: Part,
    is_started: bool,
    is_done: bool,
    has_doctype: bool,
    /// True if the document declares ASCII as its encoding.
    is_ascii: bool,
    open: Open,
    prefixes: Prefixes,
    /// The current tag's attributes. Kept here to reuse the memory.
    attributes: Vec<super::token::Attribute>,
    /// The offset in the document where the current text starts.
    base: u64,
}

/// The parts of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    BeforeRoot,
    Root,
    AfterRoot,
}

/// The structure is violated, so the check ends. The violation has already been noted.
struct Done;

type Step = Result<(), Done>;

impl WellFormed {
    /// Checks the tokens in the first `len` bytes of `text`, which starts at `offset` in the document. The rest of the
    /// text only shows where the last token ends.
    pub(super) fn read(&mut self, text: &[u8], len: usize, at_end: bool, offset: u64) {
        self.base = offset;
        let mut at = 0;
        while at < len && !self.is_done {
            let Some(token) = token(text, at, at_end) else { return };
            self.is_done = self.token(text, token).is_err();
            self.is_started = true;
            at = token.end.max(at + 1);
        }
    }

    fn token(&mut self, text: &[u8], token: Token) -> Step {
        if token.cut {
            return self.cut(text, token);
        }
        match token.kind {
            TokenKind::Text => self.text(text, token),
            TokenKind::CData => self.cdata(text, token),
            TokenKind::Comment => {
                self.comment(text, token);
                Ok(())
            }
            TokenKind::Instruction => self.instruction(text, token),
            TokenKind::Doctype => self.doctype(text, token),
            TokenKind::Stray => self.stray(token),
            TokenKind::Start | TokenKind::Empty => self.start_tag(text, token),
            TokenKind::End => self.end_tag(text, token),
        }
    }

    /// Returns `true` if an element without any violation can follow and doesn't need to be checked.
    pub(super) fn is_in_root(&self) -> bool {
        self.is_done || self.part == Part::Root
    }

    /// Checks that nothing is open at the end of the document, which is at `at` in the text.
    pub(super) fn end(&mut self, at: usize, offset: u64) {
        self.base = offset - at as u64;
        if self.is_done {
            return;
        }
        if let Some((name, from)) = self.open.last() {
            let what = format!("the document ends before `{}` is closed", String::from_utf8_lossy(name));
            self.violations.push(Violation { rule: Rule::Truncated, what: what.into(), at, len: 0, from });
        } else if self.part == Part::BeforeRoot {
            self.add(Rule::Truncated, "the document has no root element", (at, at));
        }
        self.is_done = true;
    }

    /// Opens an element. Fails if the root has already been closed.
    fn push(&mut self, text: &[u8], token: Token, name: &[u8]) -> Step {
        if self.part == Part::AfterRoot {
            let shown = excerpt(&text[..token.end], token.start);
            return self.stop(Rule::ContentAfterRoot, "", (token.start, shown));
        }
        self.part = Part::Root;
        self.open.push(name, self.base + token.start as u64, self.prefixes.mark());
        Ok(())
    }

    /// Closes the innermost element.
    fn pop(&mut self) {
        let prefixes = self.open.pop();
        self.prefixes.restore(prefixes);
        if self.open.starts.is_empty() {
            self.part = Part::AfterRoot;
        }
    }

    /// Adds a violation in the bytes from `start` to `end`. If `what` is empty, the message uses the rule's summary.
    fn add(&mut self, rule: Rule, what: &'static str, (start, end): (usize, usize)) {
        self.add_in(start, rule, what, (start, end));
    }

    /// Adds a violation inside the markup that starts at `markup`.
    fn add_in(&mut self, markup: usize, rule: Rule, what: &'static str, (at, end): (usize, usize)) {
        let from = self.base + markup as u64;
        self.violations.push(Violation { rule, what: what.into(), at, len: end - at, from });
    }

    /// Adds a violation of the structure, which ends the check.
    fn stop(&mut self, rule: Rule, what: &'static str, range: (usize, usize)) -> Step {
        self.add(rule, what, range);
        Err(Done)
    }
}

/// The open elements: their concatenated names, and where each name and each element starts.
#[derive(Debug, Default)]
struct Open {
    names: Vec<u8>,
    starts: Vec<OpenElement>,
}

#[derive(Clone, Copy, Debug)]
struct OpenElement {
    name: usize,
    offset: u64,
    /// The number of prefixes in scope before the element.
    prefixes: usize,
}

impl Open {
    fn push(&mut self, name: &[u8], offset: u64, prefixes: usize) {
        self.starts.push(OpenElement { name: self.names.len(), offset, prefixes });
        self.names.extend_from_slice(name);
    }

    /// Returns the innermost element's name and the offset of its start tag.
    fn last(&self) -> Option<(&[u8], u64)> {
        let last = self.starts.last()?;
        Some((&self.names[last.name..], last.offset))
    }

    /// Closes the innermost element. Returns the number of prefixes in scope before it.
    fn pop(&mut self) -> usize {
        let Some(last) = self.starts.pop() else { return 0 };
        self.names.truncate(last.name);
        last.prefixes
    }
}

/// Returns the end of a short excerpt that starts at offset `at`, for a message.
fn excerpt(text: &[u8], at: usize) -> usize {
    const LONGEST: usize = 60;
    let most = text.len().min(at + LONGEST);
    memchr::memchr3(b'>', b'\n', b'\r', &text[at..most]).map_or(most, |len| at + len + 1)
}
