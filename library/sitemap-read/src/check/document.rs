//! Checks one document from start to end.

use std::sync::Arc;

use crate::read::ReadError;
use crate::read::{Document, DocumentKind, Item, SitemapReader};
use sitemap_core::{LastMod, Loc};

use super::log::{Log, Room};
use super::options::CheckOptions;
use super::other_files::{Child, Others};
use super::recent::is_recent;
use super::rules::DocumentRules;
use super::rules::file::unreadable;
use super::sink::{LastEntry, Sink};

/// A document that has been opened, and whose entries are still to be checked.
pub(super) struct Started<'r> {
    pub(super) name: Arc<str>,
    pub(super) served_at: Option<Loc<'static>>,
    reader: SitemapReader<'r>,
    opened: Result<Document, ReadError>,
}

impl<'r> Started<'r> {
    pub(super) fn new(
        name: Arc<str>,
        served_at: Option<Loc<'static>>,
        mut reader: SitemapReader<'r>,
    ) -> Self {
        reader.check_xml();
        let opened = reader.document();
        Self { name, served_at, reader, opened }
    }

    /// Returns the name and URL of an index, or `None` for other documents.
    pub(super) fn index(&self) -> Option<(Arc<str>, Option<Loc<'static>>)> {
        self.is_index().then(|| (Arc::clone(&self.name), self.served_at.clone()))
    }

    pub(super) fn is_index(&self) -> bool {
        self.opened.as_ref().is_ok_and(|document| document.kind == DocumentKind::Index)
    }

    /// Returns `true` if the file belongs to the recent section.
    pub(super) fn is_recent(&self) -> bool {
        is_recent(self.served_at.as_ref(), &self.name)
    }
}

/// The result of checking one document, used to check the rest of its set.
pub(super) struct Outcome {
    pub(super) document: Option<Document>,
    /// The number of entries.
    pub(super) entries: u64,
    /// The number of bytes after decompression.
    pub(super) bytes: u64,
    /// The newest `lastmod` of the document's pages.
    pub(super) newest: Option<LastMod>,
    pub(super) children: Vec<Child>,
    /// An error if reading the bytes failed.
    pub(super) end: Result<(), ReadError>,
}

/// The maximum number of entries in a log.
const LOGGED_AT_ONCE: u64 = 1_000;

/// Checks a document from start to end. Passes each log to `hand_over`, and stops when `hand_over` returns `false`.
///
/// Defects of the document become findings, not errors.
pub(super) fn check(
    document: Started<'_>,
    room: Room,
    options: &CheckOptions,
    others: &mut Others<'_>,
    hand_over: &mut dyn FnMut(Log) -> bool,
) -> Outcome {
    let Started { name, served_at, mut reader, opened } = document;
    let document = opened.as_ref().ok().copied();
    let log = &mut Log::new(room);
    let mut rules = DocumentRules::new(document, &name, served_at, reader.root_prefix(), options);
    let mut end = opened.map(drop);
    rules.start(&reader, &mut Sink::new(log, options));
    let mut last = LastEntry::default();
    let mut is_wanted = true;
    while end.is_ok() && is_wanted {
        let is_last = match reader.next() {
            Ok(Some(Item::Page(page))) => {
                last.set(page.loc().as_str(), page.offsets());
                rules.page(&page, others, options, log);
                false
            }
            Ok(Some(Item::Sitemap(sitemap))) => {
                last.set(sitemap.loc().as_str(), sitemap.offsets());
                rules.child(&sitemap, others, options, log);
                false
            }
            Ok(None) => reader.is_done(),
            Err(error) => {
                end = Err(error);
                true
            }
        };
        if is_last {
            break;
        }
        take_findings(&mut reader, &mut Sink::of_reader(log, options, &last));
        let is_part = reader.entries().is_multiple_of(LOGGED_AT_ONCE) || log.is_large();
        if is_part {
            is_wanted = hand_over(log.take());
        }
    }
    take_findings(&mut reader, &mut Sink::of_reader(log, options, &last));
    let sink = &mut Sink::new(log, options);
    rules.end(&reader, sink);
    let end = end.or_else(|error| unreadable(error, sink));
    hand_over(log.take());
    Outcome {
        document,
        entries: reader.entries(),
        bytes: reader.position().offset,
        newest: rules.newest(),
        children: rules.into_children(),
        end,
    }
}

/// Moves the reader's findings to the sink.
#[inline]
fn take_findings(reader: &mut SitemapReader<'_>, sink: &mut Sink<'_>) {
    if reader.has_findings() {
        reader.drain_findings().for_each(|finding| sink.add_finding(finding));
        reader.take_omitted().into_iter().for_each(|(rule, count)| sink.count(rule, count));
    }
}
