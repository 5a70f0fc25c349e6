//! The state that a checker keeps from file to file.

use sitemap_core::{LastMod, Loc};

use super::hreflang::Hreflang;
use super::options::CheckOptions;
use super::recent::RecentPages;
use super::report::{FileId, ReportBuilder};
use super::seen::{Fingerprints, Seen};
use super::sink::Sink;
use crate::read::{Span, quoted};
use crate::rule::Rule;

/// The state that a checker keeps from file to file.
#[derive(Debug, Default)]
pub(super) struct SetState {
    pub(super) report: ReportBuilder,
    pub(super) fingerprints: Fingerprints,
    pub(super) pages: Seen,
    pub(super) children: Seen,
    pub(super) recent: RecentPages,
    pub(super) hreflang: Hreflang,
}

impl SetState {
    /// Reports each queued page that was already listed by an earlier entry.
    pub(super) fn flush(&mut self, options: &CheckOptions, id: FileId) {
        let mut sink = Sink { report: &mut self.report, options, id };
        self.pages.flush(id, |again| {
            if again.file == id {
                sink.add_found(Rule::DuplicateLoc, again.span, again.text);
                return;
            }
            let other = sink.report.name(again.file).to_owned();
            sink.add_with(Rule::PageInTwoFiles, again.span, || {
                format!("the page is also listed in {other}, found {}", quoted(again.text))
            });
        });
    }
}

/// The entry of a child sitemap in an index.
pub(super) struct Child {
    pub(super) loc: Loc<'static>,
    pub(super) span: Span,
    pub(super) lastmod: Option<(LastMod, Span)>,
    /// True if no earlier entry of the set lists this child sitemap.
    pub(super) is_new: bool,
}
