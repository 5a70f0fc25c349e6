//! Creates the findings of rules, in a log or in the report.

use std::ops::Range;

use crate::read::{Finding, Note, Span, message};
use crate::rule::Rule;

use super::options::CheckOptions;

/// Collects the findings of one file.
pub(super) trait Collect {
    /// Returns `true` if the next finding of the rule would be kept, and not only counted.
    fn has_room(&self, rule: Rule) -> bool;

    /// Counts findings without keeping them.
    fn count(&mut self, rule: Rule, count: u64);

    /// Adds a finding. Only call this if there is room for it.
    fn add(&mut self, finding: Finding);
}

/// Creates findings about one file and adds them to a collection.
pub(super) struct Sink<'c> {
    to: &'c mut dyn Collect,
    pub(super) options: &'c CheckOptions,
    /// The URL of the current entry, or `None` for findings about the whole document.
    entry: Option<&'c str>,
    /// The last entry, for findings that already exist.
    last: Option<&'c LastEntry>,
}

/// The URL of the last entry that was read, and the entry's byte range in the document.
#[derive(Debug, Default)]
pub(super) struct LastEntry {
    loc: String,
    range: Range<u64>,
}

impl LastEntry {
    #[inline]
    pub(super) fn set(&mut self, loc: &str, range: Range<u64>) {
        self.loc.clear();
        self.loc.push_str(loc);
        self.range = range;
    }
}

impl<'c> Sink<'c> {
    /// Creates a sink for findings about the whole document.
    pub(super) fn new(to: &'c mut dyn Collect, options: &'c CheckOptions) -> Self {
        Self { to, options, entry: None, last: None }
    }

    /// Creates a sink for findings of the reader, some of which may be about the last entry.
    pub(super) fn of_reader(to: &'c mut dyn Collect, options: &'c CheckOptions, last: &'c LastEntry) -> Self {
        Self { to, options, entry: None, last: Some(last) }
    }

    /// Creates a sink for findings about the entry with this URL.
    pub(super) fn of_entry(to: &'c mut dyn Collect, options: &'c CheckOptions, entry: &'c str) -> Self {
        Self { to, options, entry: Some(entry), last: None }
    }

    /// Adds a finding with the rule's summary as its message.
    #[cold]
    pub(super) fn add(&mut self, rule: Rule, span: Span) {
        self.add_with(rule, span, || rule.summary().to_owned());
    }

    /// Adds a finding. Its message is the rule's summary and the value that was found.
    #[cold]
    pub(super) fn add_found(&mut self, rule: Rule, span: Span, found: &str) {
        self.add_with(rule, span, || message(rule, found));
    }

    /// Adds a finding. Calls `message` only if there is room for the finding.
    #[cold]
    pub(super) fn add_with(&mut self, rule: Rule, span: Span, message: impl FnOnce() -> String) {
        let options = self.options;
        if !options.wants(rule) {
            return;
        }
        if !self.to.has_room(rule) {
            self.to.count(rule, 1);
            return;
        }
        let mut message = message();
        let engines = options.engines.names(rule.engines());
        if !engines.is_empty() {
            message = format!("{message} ({engines})");
        }
        let finding = Finding::new(rule, span, message);
        self.to.add(match self.entry {
            Some(loc) => finding.with_entry(loc),
            None => finding,
        });
    }

    /// Adds a finding that already exists.
    pub(super) fn add_finding(&mut self, finding: Finding) {
        let rule = finding.rule();
        if !self.options.wants(rule) {
            return;
        }
        if self.to.has_room(rule) {
            let last = self.last.filter(|last| last.range.contains(&finding.span().start.offset));
            self.to.add(match last {
                Some(last) => finding.with_entry(&last.loc),
                None => finding,
            });
        } else {
            self.to.count(rule, 1);
        }
    }

    /// Counts findings of a rule without keeping them.
    pub(super) fn count(&mut self, rule: Rule, count: u64) {
        if self.options.wants(rule) {
            self.to.count(rule, count);
        }
    }

    /// Returns `true` if a finding of the rule would be kept. Otherwise, the caller doesn't need to compute its span.
    pub(super) fn keeps(&self, rule: Rule) -> bool {
        self.options.wants(rule) && self.to.has_room(rule)
    }

    pub(super) fn note(&mut self, note: &Note<'_>) {
        self.add_found(note.rule, note.span, &note.found);
    }
}
