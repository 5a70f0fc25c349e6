//! Findings of a reader or checker about a document.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::position::{Position, Span};
use super::tree::Note;
use super::well_formed::{Reported, Violation};
use crate::rule::{Rule, RuleGroup, Severity};

/// Reports that a document breaks a rule, and where.
///
/// ```
/// use sitemap_read::{Rule, Severity, SitemapReader};
///
/// let mut reader = SitemapReader::from_slice(b"<urlset><url><loc>https://example.com/</loc></url></urlset>");
/// while reader.next()?.is_some() {}
/// let finding = reader.drain_findings().next().unwrap();
///
/// assert_eq!((finding.rule(), finding.severity()), (Rule::NamespaceMissing, Severity::Error));
/// assert_eq!((finding.span().start.to_string(), finding.span().len), ("1:1".to_owned(), 8));
/// assert_eq!(finding.message(), "the sitemap elements have no namespace, found \"<urlset>\"");
/// assert!(finding.to_string().starts_with("1:1: error[namespace-missing]: the sitemap elements have no namespace"));
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    rule: Rule,
    severity: Severity,
    span: Span,
    message: Box<str>,
    entry: Option<Box<str>>,
}

impl Finding {
    /// Creates a finding with the rule's severity. The message should include the value that was found.
    ///
    /// ```
    /// use sitemap_read::{Finding, Rule, SitemapReader};
    ///
    /// let mut reader = SitemapReader::from_slice(b"https://example.com/tmp\n");
    /// let span = reader.next()?.unwrap().span();
    /// let finding = Finding::new(Rule::OutOfScope, span, "a temporary page");
    /// assert!(finding.to_string().starts_with("1:1: error[out-of-scope]: a temporary page; "));
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    #[must_use]
    pub fn new(rule: Rule, span: Span, message: impl Into<Box<str>>) -> Self {
        Self { rule, severity: rule.severity(), span, message: message.into(), entry: None }
    }

    /// Sets the URL of the entry that the finding is about. See [`entry`](Self::entry).
    #[must_use]
    pub fn with_entry(mut self, loc: &str) -> Self {
        self.entry = Some(loc.into());
        self
    }

    /// Replaces the severity.
    pub(crate) fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Reduces the place to its line.
    pub(crate) fn keep_only_line(&mut self) {
        (self.span.start.column, self.span.len) = (1, 0);
    }

    /// Returns the broken rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the rule's severity, or a higher one in a [strict check](crate::CheckOptions::strict).
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns where the defect is in the document.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Returns the URL of the entry with the defect, for findings about an entry. A [`SitemapReader`](crate::SitemapReader)
    /// doesn't set it, but a [`Checker`](crate::Checker) does.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker};
    ///
    /// let mut checker = Checker::new(CheckOptions::new());
    /// checker.check_slice("urls.txt", b"https://example.com/#top\n")?;
    /// let report = checker.finish();
    /// let (_, finding) = report.findings().next().unwrap();
    /// assert_eq!(finding.entry(), Some("https://example.com/#top"));
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    #[must_use]
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// Returns the message. It states what is wrong and usually the value that was found.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the message. It begins with the URL of the entry, unless it quotes the URL anyway, as the rules about URLs do.
    ///
    /// ```
    /// use sitemap_read::{Finding, Position, Rule, Span};
    ///
    /// let span = Span::new(Position::new(0, 1, 1), 0);
    /// let finding = Finding::new(Rule::PageMissing, span, "the page answers with status 404");
    /// let finding = finding.with_entry("https://example.com/tea");
    /// assert_eq!(finding.full_message(), "https://example.com/tea: the page answers with status 404");
    /// ```
    #[must_use]
    pub fn full_message(&self) -> Cow<'_, str> {
        match self.entry() {
            Some(loc) if self.rule.group() != RuleGroup::Loc && !self.message.contains(&quoted(loc)) => {
                Cow::Owned(format!("{loc}: {}", self.message))
            }
            _ => Cow::Borrowed(&self.message),
        }
    }
}

impl fmt::Display for Finding {
    /// Writes `line:column: severity[rule]: message; remedy`, with the [whole message](Self::full_message).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, severity, rule) = (self.span.start, self.severity(), self.rule);
        write!(f, "{start}: {severity}[{rule}]: {}; {}", self.full_message(), rule.remedy())
    }
}

/// A queue of findings. When it is full, further findings are only counted.
#[derive(Debug)]
pub(super) struct Findings {
    waiting: Vec<Finding>,
    max: usize,
    total: u64,
    /// The number of findings per rule that were counted but not kept.
    omitted: BTreeMap<Rule, u64>,
    /// The rule of the first finding that means that the document wasn't read completely.
    incomplete: Option<Rule>,
    /// The finding that stops a strict reader.
    violation: Option<Finding>,
    strict: bool,
    /// The places of the reader's findings, if the document is also checked against the rules of XML.
    reported: Option<Reported>,
}

impl Findings {
    pub(super) fn new(max: usize, strict: bool) -> Self {
        Self {
            waiting: Vec::new(),
            max,
            total: 0,
            omitted: BTreeMap::new(),
            incomplete: None,
            violation: None,
            strict,
            reported: None,
        }
    }

    /// Sets whether to record the places of findings, so that violations of XML at these places aren't reported again.
    pub(super) fn record_places(&mut self, is_on: bool) {
        self.reported = is_on.then(Reported::default);
    }

    #[cold]
    pub(super) fn push(&mut self, finding: Finding) {
        self.note(finding.rule(), finding.span().start.offset, finding.span().len);
        if self.strict && self.violation.is_none() && finding.severity() == Severity::Error {
            self.violation = Some(finding.clone());
        }
        self.keep(finding);
    }

    fn keep(&mut self, finding: Finding) {
        self.total += 1;
        if self.waiting.len() < self.max {
            self.waiting.push(finding);
        } else {
            *self.omitted.entry(finding.rule()).or_default() += 1;
        }
    }

    /// Returns `true` if further findings would only be counted.
    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= self.max && !(self.strict && self.violation.is_none())
    }

    /// Counts a finding about `len` bytes of the document without storing it. Used when the queue is full.
    pub(super) fn count(&mut self, rule: Rule, offset: u64, len: u64) {
        self.note(rule, offset, len);
        self.omit(rule);
    }

    fn omit(&mut self, rule: Rule) {
        self.total += 1;
        *self.omitted.entry(rule).or_default() += 1;
    }

    fn note(&mut self, rule: Rule, offset: u64, len: u64) {
        if let Some(reported) = &mut self.reported {
            reported.add(rule, offset, len);
        }
        let is_cut =
            matches!(rule, Rule::GzipTruncated | Rule::GzipDamaged | Rule::Truncated | Rule::LocTruncated);
        if is_cut && self.incomplete.is_none() {
            self.incomplete = Some(rule);
        }
    }

    pub(super) const fn incomplete(&self) -> Option<Rule> {
        self.incomplete
    }

    pub(super) const fn has_violation(&self) -> bool {
        self.violation.is_some()
    }

    /// Returns `true` if a check should take the findings now, so that those of the next entry can be kept.
    pub(super) fn should_be_taken(&self) -> bool {
        self.reported.is_some() && self.has_any()
    }

    /// Returns `true` if any findings are waiting, or were counted but not kept.
    pub(super) fn has_any(&self) -> bool {
        !self.waiting.is_empty() || !self.omitted.is_empty()
    }

    pub(super) fn drain(&mut self) -> std::vec::Drain<'_, Finding> {
        self.waiting.drain(..)
    }

    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    pub(super) const fn omitted(&self) -> &BTreeMap<Rule, u64> {
        &self.omitted
    }

    pub(super) fn take_omitted(&mut self) -> BTreeMap<Rule, u64> {
        std::mem::take(&mut self.omitted)
    }

    pub(super) fn take_violation(&mut self) -> Option<Finding> {
        self.violation.take()
    }

    /// Turns an entry's notes into findings. Offsets in the notes are relative to `text`, whose start is at `base` in
    /// the document.
    pub(super) fn add_notes(
        &mut self,
        notes: impl Iterator<Item = Note>,
        reported: &mut Vec<Rule>,
        text: &[u8],
        base: Position,
    ) {
        let notes: Vec<_> = notes.collect();
        let positions = positions(&notes, text, base);
        for (note, position) in notes.into_iter().zip(positions) {
            // A wrong namespace affects every element, so report each rule about namespaces only once per document.
            if matches!(
                note.rule,
                Rule::NamespaceUndeclared
                    | Rule::ExtensionNamespace
                    | Rule::NamespaceMissing
                    | Rule::MixedDialects
            ) {
                if reported.contains(&note.rule) {
                    continue;
                }
                reported.push(note.rule);
            }
            if self.is_full() {
                self.count(note.rule, position.offset, note.len as u64);
                continue;
            }
            let span = Span::new(position, note.len as u64);
            let found = excerpt(text, note.at, note.len);
            let message = note.message.unwrap_or_else(|| message(note.rule, &found).into());
            self.push(Finding::new(note.rule, span, message));
        }
    }

    /// Adds the violations of XML that the reader hasn't reported. Offsets in the violations are relative to `text`,
    /// whose start is at `base` in the document.
    pub(super) fn add_violations(&mut self, violations: &mut Vec<Violation>, text: &[u8], base: Position) {
        if let Some(reported) = &mut self.reported {
            reported.retain_new(violations, base.offset);
        }
        violations.sort_by_key(|violation| violation.at);
        let (mut at, mut position) = (0, base);
        for Violation { rule, what, at: start, len, .. } in violations.drain(..) {
            if self.waiting.len() >= self.max {
                self.omit(rule);
                continue;
            }
            position = position.after(&text[at..start]);
            at = start;
            let found = excerpt(text, start, len);
            let message = match (&*what, &*found) {
                ("", found) => message(rule, found),
                (what, "") => what.to_owned(),
                (what, found) => format!("{what}, found {}", quoted(found)),
            };
            self.keep(Finding::new(rule, Span::new(position, len as u64), message));
        }
    }

    /// Forgets the places of findings before an offset, which has been checked.
    pub(super) fn forget_places(&mut self, before: u64) {
        if let Some(reported) = &mut self.reported {
            reported.forget(before);
        }
    }
}

/// Returns the part of a defective text that a message shows.
fn excerpt(text: &[u8], at: usize, len: usize) -> Cow<'_, str> {
    let at = at.min(text.len());
    String::from_utf8_lossy(&text[at..(at + len.min(MAX_FOUND)).min(text.len())])
}

/// Returns the positions of the notes. Each position is computed from the previous one in the text, so the total time
/// depends on the length of the text, not on the number of notes.
fn positions(notes: &[Note], text: &[u8], base: Position) -> Vec<Position> {
    let mut order: Vec<_> = (0..notes.len()).collect();
    order.sort_by_key(|&number| notes[number].at);
    let mut positions = vec![base; notes.len()];
    let (mut at, mut position) = (0, base);
    for number in order {
        let place = notes[number].at.min(text.len());
        position = position.after(&text[at..place]);
        at = place;
        positions[number] = position;
    }
    positions
}

/// The number of bytes of defective text that a message may need: 120 characters, and one more to see that the text was
/// cut.
pub(super) const MAX_FOUND: usize = 4 * 121;

/// Returns the rule's summary and the text that was found.
pub(crate) fn message(rule: Rule, found: &str) -> String {
    let summary = rule.summary();
    if found.is_empty() { summary.to_owned() } else { format!("{summary}, found {}", quoted(found)) }
}

/// Quotes a value for a [`Finding`]'s message. Truncates it to 120 characters.
///
/// Control characters that could affect a terminal are escaped, so the message is safe to print.
///
/// ```
/// use sitemap_read::quoted;
///
/// assert_eq!(quoted("https://example.com/\u{1b}[31m"), r#""https://example.com/\u{1b}[31m""#);
/// assert_eq!(quoted(&"a".repeat(200)), format!("\"{}\"…", "a".repeat(120)));
/// ```
#[must_use]
pub fn quoted(value: &str) -> String {
    const LONGEST: usize = 120;
    match value.char_indices().nth(LONGEST) {
        None => format!("{value:?}"),
        Some((end, _)) => format!("{:?}…", &value[..end]),
    }
}
