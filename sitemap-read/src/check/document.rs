//! The check of one document, from its first byte to its last.

use crate::read::ReadError;
use crate::read::{Document, Item, SitemapReader};
use sitemap_core::{LastMod, Loc};

use super::options::CheckOptions;
use super::report::FileId;
use super::set_state::{Child, SetState};
use super::sink::Sink;
use super::source::SitemapSource;
use super::state::DocumentState;
use super::unreadable::unreadable;
use super::well_formed::Findings;

/// The facts about one checked document, for the check of its set.
pub(super) struct Outcome {
    pub(super) id: FileId,
    pub(super) served_at: Option<Loc<'static>>,
    pub(super) document: Option<Document>,
    /// The newest `lastmod` of the pages in the document.
    pub(super) newest: Option<LastMod>,
    pub(super) children: Vec<Child>,
}

/// The XML of this number of entries is checked at once.
const CHECKED_AT_ONCE: u64 = 1_000;

/// Checks a document from start to end.
///
/// Returns an error only if reading the bytes fails. Defects of the document become findings.
pub(super) fn check<S: SitemapSource>(
    set: &mut SetState,
    options: &CheckOptions,
    (name, served_at): (Box<str>, Option<Loc<'static>>),
    mut reader: SitemapReader<'_>,
    source: &mut S,
) -> (Outcome, Result<(), ReadError>) {
    let named = name.clone();
    let id = set.report.begin(name, served_at.clone(), options);
    reader.check_xml();
    let opened = reader.document();
    let document = opened.as_ref().ok().copied();
    let mut state = DocumentState::new(document, &named, served_at, options);
    state.root_prefix = reader.root_prefix().to_vec();
    let mut end = opened.map(|_| ());
    if let Some(document) = document {
        state.head(&reader, document, &mut Sink { report: &mut set.report, options, id });
    }
    let mut findings = Findings::default();
    let mut fetched = 0;
    while end.is_ok() {
        let is_last = match reader.next() {
            Ok(Some(Item::Page(page))) => {
                state.page(&page, set, (options, id), source);
                false
            }
            Ok(Some(Item::Sitemap(sitemap))) => {
                state.sitemap(&sitemap, set, (options, id), source);
                false
            }
            Ok(None) => true,
            Err(error) => {
                end = Err(error);
                true
            }
        };
        if is_last {
            break;
        }
        if fetched != reader.findings_total() || reader.entries().is_multiple_of(CHECKED_AT_ONCE) {
            fetched = reader.findings_total();
            findings.take(&mut reader, false, (&mut set.report, id), options);
        }
    }
    findings.take(&mut reader, end.is_ok(), (&mut set.report, id), options);
    set.flush(options, id);
    let mut sink = Sink { report: &mut set.report, options, id };
    state.tail(&reader, &mut sink);
    let end = end.or_else(|error| unreadable(error, &mut sink));
    set.report.measure(id, document, reader.entries(), reader.position().offset);
    let served_at = state.scope.served_at().cloned();
    (
        Outcome {
            id,
            served_at,
            document,
            newest: state.newest.map(|(lastmod, _)| lastmod),
            children: state.children,
        },
        end,
    )
}
