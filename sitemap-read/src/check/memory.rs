//! What is kept from file to file.

use sitemap_core::{LastMod, Loc};

use super::hreflang::Hreflang;
use super::options::CheckOptions;
use super::report::{Drawer, FileId};
use super::seen::{Fingerprints, Seen};
use super::sink::{Sink, quoted};
use crate::read::{Position, Span};
use crate::rule::Rule;

/// What is kept from file to file.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) drawer: Drawer,
    pub(super) fingerprints: Fingerprints,
    pub(super) pages: Seen,
    pub(super) children: Seen,
    pub(super) hreflang: Hreflang,
}

impl Memory {
    /// Reports those of the queued pages that were listed before.
    pub(super) fn flush(&mut self, options: &CheckOptions, id: FileId) {
        let mut sink = Sink { drawer: &mut self.drawer, options, id };
        self.pages.flush(id, |again| {
            if again.file == id {
                sink.found(Rule::DuplicateLoc, again.span, again.text);
                return;
            }
            let other = sink.drawer.name(again.file).to_owned();
            sink.explain(Rule::PageInTwoFiles, again.span, || {
                format!("the page is listed in {other}, too, found {}", quoted(again.text))
            });
        });
    }
}

/// A sitemap that an index lists.
pub(super) struct Child {
    pub(super) loc: Loc<'static>,
    pub(super) span: Span,
    pub(super) lastmod: Option<(LastMod, Span)>,
    /// Whether no index listed it before.
    pub(super) is_new: bool,
}

pub(super) const START: Span = Span::new(Position { offset: 0, line: 1, column: 1 }, 0);
