//! The context of a rule: the current entry, its document, and other documents.

use sitemap_core::{Dialect, Loc};

use crate::check::log::Log;
use crate::check::options::CheckOptions;
use crate::check::other_files::Others;
use crate::check::sink::Sink;
use crate::read::{Document, DocumentKind, PageItem, SitemapItem, Span, Value};

/// The current entry: a page or, in an index, a child sitemap.
pub(crate) struct Visit<'v, 'o, I> {
    pub(super) item: &'v I,
    pub(super) facts: &'v Facts,
    pub(super) options: &'v CheckOptions,
    pub(super) others: &'v mut Others<'o>,
    pub(super) log: &'v mut Log,
}

/// A page or child sitemap, with the spans of its values.
pub(crate) trait Item {
    fn loc(&self) -> &Loc<'_>;

    /// Returns the span of a value, or the span of the whole entry if there is no such value.
    fn span_of(&self, value: Value) -> Span;
}

impl Item for PageItem<'_> {
    fn loc(&self) -> &Loc<'_> {
        self.entry().loc()
    }

    fn span_of(&self, value: Value) -> Span {
        self.value_span(value).unwrap_or_else(|| self.span())
    }
}

impl Item for SitemapItem<'_> {
    fn loc(&self) -> &Loc<'_> {
        SitemapItem::loc(self)
    }

    fn span_of(&self, value: Value) -> Span {
        self.value_span(value).unwrap_or_else(|| self.span())
    }
}

impl<I: Item> Visit<'_, '_, I> {
    /// Returns a sink for findings about the entry.
    pub(super) fn sink(&mut self) -> Sink<'_> {
        Sink::of_entry(self.log, self.options, self.item.loc().as_str())
    }
}

/// The facts about a document that are known before its first entry.
pub(super) struct Facts {
    pub(super) document: Option<Document>,
    pub(super) is_v0_84: bool,
    /// True if the document is a file of the recent section.
    pub(super) is_recent: bool,
    /// The prefix of the root element.
    pub(super) root_prefix: Vec<u8>,
    /// The current time.
    pub(super) now: Option<i64>,
}

impl Facts {
    pub(super) fn new(
        document: Option<Document>,
        is_recent: bool,
        root_prefix: &[u8],
        options: &CheckOptions,
    ) -> Self {
        let dialect = document.and_then(|document| document.dialect).unwrap_or_default();
        Self {
            document,
            is_v0_84: dialect == Dialect::V0_84,
            is_recent,
            root_prefix: root_prefix.to_vec(),
            now: options.now.map(|now| now.timestamp()),
        }
    }

    pub(super) fn is(&self, kind: DocumentKind) -> bool {
        self.document.is_some_and(|document| document.kind == kind)
    }
}
