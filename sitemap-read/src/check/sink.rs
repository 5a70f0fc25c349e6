//! Adds the findings of rules to the report.

use crate::read::{Finding, Note, Span, message};
use crate::rule::Rule;

use super::options::CheckOptions;
use super::report::{FileId, ReportBuilder};

/// A writer that adds the findings of one file to the report.
pub(super) struct Sink<'c> {
    pub(super) report: &'c mut ReportBuilder,
    pub(super) options: &'c CheckOptions,
    pub(super) id: FileId,
}

impl Sink<'_> {
    /// Adds a finding with the rule's summary as its message.
    #[cold]
    pub(super) fn add(&mut self, rule: Rule, span: Span) {
        self.add_with(rule, span, || rule.summary().to_owned());
    }

    /// Adds a finding. Its message is the rule's summary, followed by the value that was found.
    #[cold]
    pub(super) fn add_found(&mut self, rule: Rule, span: Span, found: &str) {
        self.add_with(rule, span, || message(rule, found));
    }

    /// Adds a finding. Its message is built only if the report keeps the finding.
    #[cold]
    pub(super) fn add_with(&mut self, rule: Rule, span: Span, message: impl FnOnce() -> String) {
        let options = self.options;
        if !ReportBuilder::wants(rule, options) {
            return;
        }
        if !self.report.has_room(self.id, rule, options) {
            self.report.count(self.id, rule, 1);
            return;
        }
        let mut message = message();
        let engines = options.engines.names(rule);
        if !engines.is_empty() {
            message = format!("{message} ({engines})");
        }
        self.report.add(self.id, Finding::new(rule, span, message), options);
    }

    /// Returns `true` if the report would keep a finding of the rule. If not, the caller need not compute the span of
    /// the finding.
    pub(super) fn keeps(&self, rule: Rule) -> bool {
        ReportBuilder::wants(rule, self.options) && self.report.has_room(self.id, rule, self.options)
    }

    pub(super) fn note(&mut self, note: &Note<'_>) {
        self.add_found(note.rule, note.span, &note.found);
    }
}
