//! One document from its first byte to its last.

use crate::read::ReadError;
use crate::read::{Document, Item, Position, SitemapReader, Span};
use crate::rule::Rule;
use sitemap_core::{LastMod, Loc};

use super::hreflang::Hreflang;
use super::options::CheckOptions;
use super::report::{Drawer, FileId};
use super::seen::{Fingerprints, Seen};
use super::sink::{Sink, quoted};
use super::source::SitemapSource;
use super::unreadable::unreadable;
use super::watch::Watch;

/// What is kept from file to file.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) drawer: Drawer,
    pub(super) fingerprints: Fingerprints,
    pub(super) pages: Seen,
    pub(super) children: Seen,
    pub(super) hreflang: Hreflang,
}

/// What a document came to, for the index that lists it.
pub(super) struct Outcome {
    pub(super) id: FileId,
    pub(super) served_at: Option<Loc<'static>>,
    pub(super) document: Option<Document>,
    /// The newest change of a page.
    pub(super) newest: Option<LastMod>,
    pub(super) children: Vec<Child>,
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

/// Checks a document to its end.
///
/// An error is one of the source of its bytes.
pub(super) fn check<S: SitemapSource>(
    memory: &mut Memory,
    options: &CheckOptions,
    (name, served_at): (Box<str>, Option<Loc<'static>>),
    mut reader: SitemapReader<'_>,
    source: &mut S,
) -> (Outcome, Result<(), ReadError>) {
    let id = memory.drawer.begin(name, served_at.clone(), options.strict);
    let opened = reader.document();
    let document = opened.as_ref().ok().copied();
    let mut watch = Watch::new(document, served_at, options);
    watch.root_prefix = reader.root_prefix().to_vec();
    let mut end = opened.map(|_| ());
    if let Some(document) = document {
        watch.head(&reader, document, &mut Sink { drawer: &mut memory.drawer, options, id });
    }
    let mut fetched = 0;
    while end.is_ok() {
        let is_last = match reader.next() {
            Ok(Some(Item::Page(page))) => {
                watch.page(&page, memory, (options, id), source);
                false
            }
            Ok(Some(Item::Sitemap(sitemap))) => {
                watch.sitemap(&sitemap, memory, (options, id), source);
                false
            }
            Ok(None) => true,
            Err(error) => {
                end = Err(error);
                true
            }
        };
        if fetched != reader.findings_total() {
            fetched = reader.findings_total();
            reader.drain_findings().for_each(|finding| memory.drawer.add(id, finding, options));
        }
        if is_last {
            break;
        }
    }
    reader.drain_findings().for_each(|finding| memory.drawer.add(id, finding, options));
    flush(memory, options, id);
    let mut sink = Sink { drawer: &mut memory.drawer, options, id };
    watch.tail(&reader, &mut sink);
    let end = end.or_else(|error| unreadable(error, &mut sink));
    memory.drawer.measure(id, document, reader.entries(), reader.position().offset);
    let served_at = watch.scope.served_at().cloned();
    (
        Outcome {
            id,
            served_at,
            document,
            newest: watch.newest.map(|(lastmod, _)| lastmod),
            children: watch.children,
        },
        end,
    )
}

/// Says which of the queued pages were listed before.
pub(super) fn flush(memory: &mut Memory, options: &CheckOptions, id: FileId) {
    let mut sink = Sink { drawer: &mut memory.drawer, options, id };
    memory.pages.flush(id, |again| {
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
