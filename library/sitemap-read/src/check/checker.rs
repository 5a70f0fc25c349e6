//! Checks documents and sets, and reports the findings.

use std::io::Read;

use crate::read::ReadError;
use crate::read::SitemapReader;

use super::document::{Outcome, Started};
use super::file_id::FileId;
use super::options::CheckOptions;
use super::report::{Report, ReportBuilder};
use super::set;
use super::set_state::{Compared, SetState};
use super::source::{NoSource, OpenedSitemap, RobotsLines, SitemapSource};
use super::walk::Walk;

/// Checks sitemaps, indexes, text sitemaps and feeds, alone or as a set.
///
/// All files that a checker has checked form one set. If two of them list the same page, the checker reports it. The
/// language versions of a page may be spread over several files. Files are streamed: the checker keeps only the
/// findings and a few bytes per page (see [`CheckOptions::duplicates`]).
///
/// The reader repairs many XML defects, but the checker reports all of them. A document that an XML parser would reject
/// always gets at least one error.
///
/// ```
/// use sitemap_read::{CheckOptions, Checker, Rule};
/// use sitemap_core::Loc;
///
/// let xml = br#"<?xml version="1.0" encoding="UTF-8"?>
/// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url>
///     <lastmod>2024-03-09</lastmod>
///     <loc>https://example.com/shop/a</loc>
///   </url>
///   <url><loc>https://example.com/blog/</loc></url>
/// </urlset>"#;
/// let served_at = Loc::parse("https://example.com/shop/sitemap.xml")?;
///
/// let mut checker = Checker::new(CheckOptions::new().served_at(served_at));
/// checker.check_slice("sitemap.xml", xml)?;
/// let report = checker.finish();
///
/// let found: Vec<_> = report
///     .findings()
///     .map(|(_, finding)| (finding.rule(), finding.span().start.to_string()))
///     .collect();
/// assert_eq!(found, [(Rule::XsdOrder, "5:5".into()), (Rule::ScopeUnknown, "7:13".into())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "call `finish` to get the findings of a checker"]
pub struct Checker {
    options: CheckOptions,
    set: SetState,
}

impl Checker {
    /// Creates a checker with these options.
    pub fn new(mut options: CheckOptions) -> Self {
        let report = ReportBuilder::new(options.baseline.take(), options.record);
        let compared = Compared { report, ..Compared::default() };
        Self { options, set: SetState { compared, ..SetState::default() } }
    }

    /// Checks one document. If the document is an index, its child sitemaps are not opened.
    ///
    /// # Errors
    ///
    /// Returns [`ReadErrorKind::Io`](crate::ReadErrorKind::Io) if reading the bytes fails. A defect of the document
    /// is a finding, not an error.
    pub fn check<R: Read + Send>(&mut self, file: OpenedSitemap<R>) -> Result<(), ReadError> {
        let served_at = file.served_at.or_else(|| self.options.served_at.clone());
        let reader = SitemapReader::from_reader_with(file.content, self.options.read);
        self.document(Started::new(file.name.into(), served_at, reader), &mut NoSource).1.end
    }

    /// Checks one document in memory. If the document is an index, its child sitemaps are not opened.
    ///
    /// # Errors
    ///
    /// Never returns an error, because reading from memory can't fail. The return type matches [`check`](Self::check).
    pub fn check_slice(&mut self, name: &str, bytes: &[u8]) -> Result<(), ReadError> {
        let served_at = self.options.served_at.clone();
        let reader = SitemapReader::from_slice_with(bytes, self.options.read);
        self.document(Started::new(name.into(), served_at, reader), &mut NoSource).1.end
    }

    /// Checks an index and all sitemaps that it lists, which `source` opens. A document that isn't an index is checked
    /// alone.
    ///
    /// # Errors
    ///
    /// Returns [`ReadErrorKind::Io`](crate::ReadErrorKind::Io) if reading the bytes of the index fails, and
    /// [`ReadErrorKind::Source`](crate::ReadErrorKind::Source) if `source` returns [`OpenError::Fatal`]. A child
    /// sitemap that cannot be read is a finding.
    ///
    /// [`OpenError::Fatal`]: super::OpenError::Fatal
    pub fn check_set<R: Read + Send, S: SitemapSource>(
        &mut self,
        index: OpenedSitemap<R>,
        source: &mut S,
    ) -> Result<(), ReadError> {
        let served_at = index.served_at.or_else(|| self.options.served_at.clone());
        let reader = SitemapReader::from_reader_with(index.content, self.options.read);
        let document = Started::new(index.name.into(), served_at, reader);
        let place = document.index();
        let (id, mut outcome) = self.document(document, source);
        std::mem::replace(&mut outcome.end, Ok(()))?;
        if let Some(place) = place {
            let walk = Walk::new(id, place, &mut outcome);
            set::check(&mut self.set, &self.options, walk, source)?;
        } else {
            source.checked(self.set.compared.report.name(id), self.set.compared.may_have_findings(id));
        }
        Ok(())
    }

    /// Checks a document that is not part of an index.
    fn document(&mut self, document: Started<'_>, robots: &mut dyn RobotsLines) -> (FileId, Outcome) {
        let Self { options, set } = self;
        let id = set.begin(&document, options);
        let outcome = set::check_here(set, id, document, options, robots, None);
        set.compared.report.measure(id, outcome.document, outcome.entries, outcome.bytes);
        (id, outcome)
    }

    /// Ends the check and returns its report.
    pub fn finish(self) -> Report {
        let Compared { mut report, pages, news, hreflang, .. } = self.set.compared;
        hreflang.finish([&pages, &news], &mut report, &self.options);
        report.finish()
    }
}
