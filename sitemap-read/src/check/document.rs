//! One document from its first byte to its last.

use crate::read::ReadError;
use crate::read::{Document, Item, SitemapReader};
use sitemap_core::{LastMod, Loc};

use super::memory::{Child, Memory};
use super::options::CheckOptions;
use super::report::FileId;
use super::sink::Sink;
use super::source::SitemapSource;
use super::unreadable::unreadable;
use super::watch::Watch;

/// What a document came to, for the index that lists it.
pub(super) struct Outcome {
    pub(super) id: FileId,
    pub(super) served_at: Option<Loc<'static>>,
    pub(super) document: Option<Document>,
    /// The newest change of a page.
    pub(super) newest: Option<LastMod>,
    pub(super) children: Vec<Child>,
}

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
    memory.flush(options, id);
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
