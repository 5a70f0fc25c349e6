//! What a reader or checker has to say about a document, at a place.

use std::fmt;

use super::collect::Note;
use super::position::{Position, Span};
use crate::rule::{Rule, Severity};

/// A rule that a document breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    rule: Rule,
    severity: Severity,
    span: Span,
    message: Box<str>,
}

impl Finding {
    /// A finding with a message of its own, which names the value found.
    #[must_use]
    pub fn new(rule: Rule, span: Span, message: impl Into<Box<str>>) -> Self {
        Self { rule, severity: rule.severity(), span, message: message.into() }
    }

    /// The same, taken more or less seriously.
    pub(crate) fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// The rule that is broken.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// How bad that is: as bad as the rule says, or worse in a
    /// [strict check](crate::CheckOptions::strict).
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// Where in the document.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// What was found, with the value.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Finding {
    /// As `line:column: severity[rule]: message; remedy`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, severity, rule) = (self.span.start, self.severity(), self.rule);
        write!(f, "{start}: {severity}[{rule}]: {}; {}", self.message, rule.remedy())
    }
}

/// Findings on their way to the caller: at most so many at once, the others counted only.
#[derive(Debug)]
pub(super) struct Findings {
    waiting: Vec<Finding>,
    most: usize,
    total: u64,
    uncounted: u64,
    /// The first one that a strict reader stops at.
    violation: Option<Finding>,
    strict: bool,
}

impl Findings {
    pub(super) fn new(most: usize, strict: bool) -> Self {
        Self { waiting: Vec::new(), most, total: 0, uncounted: 0, violation: None, strict }
    }

    #[cold]
    pub(super) fn push(&mut self, finding: Finding) {
        self.total += 1;
        if self.strict && self.violation.is_none() && finding.severity() == Severity::Error {
            self.violation = Some(finding.clone());
        }
        if self.waiting.len() < self.most {
            self.waiting.push(finding);
        } else {
            self.uncounted += 1;
        }
    }

    /// Whether one more would be counted only.
    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= self.most && !(self.strict && self.violation.is_none())
    }

    /// Counts one that there is no room for.
    pub(super) fn count(&mut self) {
        self.total += 1;
        self.uncounted += 1;
    }

    pub(super) const fn has_violation(&self) -> bool {
        self.violation.is_some()
    }

    pub(super) fn drain(&mut self) -> std::vec::Drain<'_, Finding> {
        self.waiting.drain(..)
    }

    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    pub(super) const fn dropped(&self) -> u64 {
        self.uncounted
    }

    pub(super) fn take_violation(&mut self) -> Option<Finding> {
        self.violation.take()
    }
}

/// A value for a message: quoted, and cut where it is long.
pub(super) fn quoted(value: &str) -> String {
    const LONGEST: usize = 120;
    match value.char_indices().nth(LONGEST) {
        None => format!("{value:?}"),
        Some((end, _)) => format!("{:?}…", &value[..end]),
    }
}

impl Findings {
    /// Makes findings of notes, whose places count from `base`.
    pub(super) fn settle(
        &mut self,
        notes: impl Iterator<Item = Note>,
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
            if self.is_full() {
                self.count();
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
            self.push(Finding::new(note.rule, span, message));
        }
    }
}

/// The message of a finding that names what was found.
pub(super) fn message(rule: Rule, found: &str) -> String {
    let summary = rule.summary();
    if found.is_empty() { summary.to_owned() } else { format!("{summary}, found {}", quoted(found)) }
}
