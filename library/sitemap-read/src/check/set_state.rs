//! The state that a checker keeps between files.

use std::sync::Arc;

use super::document::Started;
use super::file_id::FileId;
use super::log::{Log, LogNote};
use super::options::CheckOptions;
use super::other_files::{Children, RecentPages};
use super::report::ReportBuilder;
use super::rules::duplicates;
use super::rules::hreflang::{Hreflang, Link};
use super::seen_urls::{Fingerprints, SeenUrls};
use super::sink::Sink;

#[derive(Debug, Default)]
pub(super) struct SetState {
    pub(super) compared: Compared,
    pub(super) fingerprints: Fingerprints,
    pub(super) children: Children,
    pub(super) recent: Arc<RecentPages>,
}

/// The report, and the URLs and links so far. Documents are added in the set's order.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) report: ReportBuilder,
    pub(super) pages: SeenUrls,
    pub(super) hreflang: Hreflang,
}

impl SetState {
    /// Adds a document to the end of the report.
    pub(super) fn begin(&mut self, document: &Started<'_>, options: &CheckOptions) -> FileId {
        self.compared.report.begin((*document.name).into(), document.served_at.clone(), options)
    }
}

impl Compared {
    /// Returns `true` if the last document has findings in the report, or may get some because of later documents.
    pub(super) fn may_have_findings(&self, id: FileId) -> bool {
        self.report.keeps_findings(id) || self.hreflang.may_report(id)
    }

    /// Adds a log to the report, and compares its pages and links with those of earlier documents.
    pub(super) fn add(&mut self, id: FileId, log: Log, fingerprints: &Fingerprints, options: &CheckOptions) {
        let Log { notes, counts, pages, urls, links, texts, .. } = log;
        let (mut links, mut texts) = (links.into_iter(), Texts { all: &texts, start: 0 });
        for note in notes {
            match note {
                LogNote::Finding(finding) => self.report.add(id, finding, options),
                LogNote::VersionsIgnored(span) => {
                    let mut file = self.report.file(id, options);
                    self.hreflang.ignored(span, &mut Sink::new(&mut file, options));
                }
                LogNote::Versions(versions) => {
                    let mut file = self.report.file(id, options);
                    let from = texts.to(versions.url_end);
                    let links: Vec<_> = links
                        .by_ref()
                        .take(versions.links)
                        .map(|link| Link {
                            to: link.to,
                            span: link.span,
                            href: texts.to(link.href_end),
                            tag: Some(texts.to(link.tag_end)).filter(|_| !link.is_ignored),
                        })
                        .collect();
                    let sink = &mut Sink::of_entry(&mut file, options, from);
                    self.hreflang.add((&versions, from, &links), fingerprints, (sink, id));
                }
            }
        }
        for (rule, count) in counts {
            self.report.count(id, rule, count);
        }
        let mut urls = Texts { all: &urls, start: 0 };
        for page in pages {
            let url = urls.to(page.url_end);
            if let Some(before) = self.pages.add(page.fingerprint, id) {
                let other = (before != id).then(|| self.report.name(before).to_owned());
                let mut file = self.report.file(id, options);
                let sink = &mut Sink::of_entry(&mut file, options, url);
                duplicates::twice(url, page.span, other.as_deref(), sink);
            }
        }
    }
}

/// Several concatenated strings, to be read from first to last.
struct Texts<'t> {
    all: &'t str,
    start: usize,
}

impl<'t> Texts<'t> {
    /// Returns the next string, which ends at `end`.
    fn to(&mut self, end: usize) -> &'t str {
        let text = self.all.get(self.start..end).unwrap_or_default();
        self.start = end;
        text
    }
}
