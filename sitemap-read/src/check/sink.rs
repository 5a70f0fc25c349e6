//! Where the findings of one file go.

use crate::read::{Finding, Note, Span};
use crate::rule::Rule;

use super::options::CheckOptions;
use super::report::{Drawer, FileId};

/// Where the findings of one file go.
pub(super) struct Sink<'c> {
    pub(super) drawer: &'c mut Drawer,
    pub(super) options: &'c CheckOptions,
    pub(super) id: FileId,
}

impl Sink<'_> {
    /// Adds a finding with the rule's summary as its message.
    #[cold]
    pub(super) fn say(&mut self, rule: Rule, span: Span) {
        self.explain(rule, span, || rule.summary().to_owned());
    }

    /// Adds a finding that names the value found.
    #[cold]
    pub(super) fn found(&mut self, rule: Rule, span: Span, found: &str) {
        self.explain(rule, span, || format!("{}, found {}", rule.summary(), quoted(found)));
    }

    /// Adds a finding with a message that is made only if it is kept.
    #[cold]
    pub(super) fn explain(&mut self, rule: Rule, span: Span, message: impl FnOnce() -> String) {
        let options = self.options;
        if !Drawer::wants(rule, options) {
            return;
        }
        if !self.drawer.has_room(rule, options) {
            self.drawer.count(self.id, rule, 1);
            return;
        }
        let mut message = message();
        let engines = options.engines.names(rule);
        if !engines.is_empty() {
            message = format!("{message} ({engines})");
        }
        self.drawer.add(self.id, Finding::new(rule, span, message), options);
    }

    /// Whether a finding of the rule would be kept, so that its place matters.
    pub(super) fn keeps(&self, rule: Rule) -> bool {
        Drawer::wants(rule, self.options) && self.drawer.has_room(rule, self.options)
    }

    pub(super) fn note(&mut self, note: &Note<'_>) {
        self.found(note.rule, note.span, &note.found);
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
