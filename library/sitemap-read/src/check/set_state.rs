//! The state that a checker keeps between files.

use std::sync::Arc;

use sitemap_core::LastMod;

use super::document::Started;
use super::file_id::FileId;
use super::log::{Log, LogNote, LoggedPage};
use super::options::CheckOptions;
use super::other_files::{Children, RecentPages};
use super::report::ReportBuilder;
use super::rules::duplicates::{self, First};
use super::rules::hreflang::{Hreflang, Link};
use super::seen_urls::{ByFingerprint, Fingerprint, Fingerprints, SeenUrls};
use super::sink::Sink;
use crate::read::Position;

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
    /// The news articles. They are compared only with each other, because a news sitemap repeats pages of other files.
    pub(super) news: SeenUrls,
    pub(super) last_file: LastFile,
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
        self.last_file.begin(id, &pages);
        for page in &pages {
            let url = urls.to(page.url_end);
            let seen = if page.is_news { &mut self.news } else { &mut self.pages };
            if let Some(before) = seen.add(page.fingerprint, id) {
                let other = (before != id).then(|| self.report.name(before).to_owned());
                let first = match &other {
                    Some(name) => First::In(name),
                    None => First::Here(self.last_file.first(page.fingerprint, &pages)),
                };
                let mut file = self.report.file(id, options);
                let sink = &mut Sink::of_entry(&mut file, options, url);
                duplicates::twice(url, page, &first, sink);
            }
        }
        self.last_file.end(pages);
    }
}

/// The pages of the last file, to find the first entry of a page that the file lists twice.
#[derive(Debug, Default)]
pub(super) struct LastFile {
    id: Option<FileId>,
    pages: Vec<Vec<LoggedPage>>,
    len: usize,
    /// The first entry of each page. It is filled only if the file lists some page twice.
    first: Option<ByFingerprint<(Position, Option<LastMod>)>>,
}

impl LastFile {
    /// The maximum number of pages to keep.
    const MAX: usize = 100_000;

    /// Starts to compare pages, which follow those of the last call if they belong to the same file.
    fn begin(&mut self, id: FileId, pages: &[LoggedPage]) {
        if self.id != Some(id) {
            *self = Self { id: Some(id), ..Self::default() };
        }
        if let Some(first) = &mut self.first {
            add_first(first, pages);
        }
    }

    /// Returns the place and date of the first entry with this fingerprint. `pages` are the current pages.
    fn first(&mut self, page: Fingerprint, pages: &[LoggedPage]) -> Option<(Position, Option<LastMod>)> {
        let first = self.first.get_or_insert_with(|| {
            let mut first = ByFingerprint::default();
            for pages in self.pages.iter().map(Vec::as_slice).chain([pages]) {
                add_first(&mut first, pages);
            }
            first
        });
        first.get(&page).copied()
    }

    fn end(&mut self, pages: Vec<LoggedPage>) {
        if self.len < Self::MAX && self.first.is_none() {
            self.len += pages.len();
            self.pages.push(pages);
        }
    }
}

fn add_first(first: &mut ByFingerprint<(Position, Option<LastMod>)>, pages: &[LoggedPage]) {
    for page in pages.iter().take(LastFile::MAX.saturating_sub(first.len())) {
        first.entry(page.fingerprint).or_insert((page.span.start, page.lastmod));
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
