//! Counts pages and findings, and writes the report.

use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_read::Finding;

use super::dates::Dates;
use super::findings::Findings;
use super::html::Html;
use super::page::ReportPage;
use super::section::Sections;
use super::status::Statuses;
use super::translations::Matrix;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Counts the pages of a site for a report, and writes it.
///
/// ```
/// use std::time::SystemTime;
/// use sitemap_pages::report::{ReportBuilder, ReportPage};
/// use sitemap_read::{Rule, Severity};
///
/// let mut report = ReportBuilder::new("https://example.com/", SystemTime::UNIX_EPOCH);
/// report.page(&ReportPage { url: "https://example.com/trees/oak", status: Some(200), ..ReportPage::default() });
/// report.page(&ReportPage {
///     url: "https://example.com/trees/elm",
///     status: Some(404),
///     worst: Some(Severity::Error),
///     ..ReportPage::default()
/// });
/// report.note("the crawl is not complete");
/// let html = report.finish();
/// assert!(html.starts_with("<!doctype html>"));
/// assert!(html.contains("<td>/trees/</td><td>2</td><td>1</td>"), "{html}");
/// ```
#[derive(Debug)]
pub struct ReportBuilder {
    title: String,
    time: SystemTime,
    sections: Sections,
    statuses: Statuses,
    dates: Dates,
    findings: Findings,
    translations: Matrix,
    notes: Vec<String>,
}

impl ReportBuilder {
    /// Starts a report about the site of this name, with the time that the evidence is from.
    pub fn new(title: impl Into<String>, time: SystemTime) -> Self {
        Self {
            title: title.into(),
            time,
            sections: Sections::default(),
            statuses: Statuses::default(),
            dates: Dates::default(),
            findings: Findings::default(),
            translations: Matrix::default(),
            notes: Vec::new(),
        }
    }

    /// Counts a page.
    pub fn page(&mut self, page: &ReportPage<'_>) {
        self.sections.add(page);
        self.statuses.add(page);
        self.dates.add(page.changed);
    }

    /// Adds a finding about a page. Findings past the first 100 of a rule are counted.
    ///
    /// ```
    /// use std::time::SystemTime;
    /// use sitemap_pages::report::ReportBuilder;
    /// use sitemap_read::{Finding, Rule, SitemapReader};
    ///
    /// let mut reader = SitemapReader::from_slice(b"https://example.com/tmp\n");
    /// let span = reader.next()?.unwrap().span();
    /// let mut report = ReportBuilder::new("example.com", SystemTime::UNIX_EPOCH);
    /// report.finding("https://example.com/tmp", &Finding::new(Rule::OutOfScope, span, "a <temporary> page"));
    /// assert!(report.finish().contains("a &lt;temporary&gt; page"));
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn finding(&mut self, url: &str, finding: &Finding) {
        self.findings.add(url, finding);
    }

    /// Counts a link from a page in one language to its translation, and whether the translation links back.
    ///
    /// ```
    /// use std::time::SystemTime;
    /// use sitemap_pages::report::ReportBuilder;
    ///
    /// let mut report = ReportBuilder::new("example.com", SystemTime::UNIX_EPOCH);
    /// report.translation("de", "fr", true);
    /// report.translation("de", "fr", false);
    /// assert!(report.finish().contains("<td>2<span class=bad> (1 without a link back)</span></td>"));
    /// ```
    pub fn translation(&mut self, from: &str, to: &str, links_back: bool) {
        self.translations.add(from, to, links_back);
    }

    /// Adds a line about the evidence, such as why a crawl is not complete. It stands at the top of the report.
    /// [Example](Self).
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Returns the report as one HTML document.
    pub fn finish(self) -> String {
        let mut html = Html::default();
        html.raw("<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n");
        html.raw("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<meta name=robots content=noindex>\n<title>Sitemap report: ").text(&self.title);
        html.raw("</title>\n<style>").raw(STYLE).raw("</style>\n");
        html.raw("<header><h1>").text(&self.title).raw("</h1>\n<p>");
        html.count(self.sections.pages(), "page", "pages").raw(" listed, ");
        html.count(self.findings.total(), "finding", "findings");
        if let Ok(time) = LastMod::try_from(self.time) {
            html.raw(", as of <time>").text(&time.to_string()).raw("</time>");
        }
        html.raw(".</p>\n");
        for note in &self.notes {
            html.raw("<p class=note>").text(note).raw("</p>\n");
        }
        html.raw("</header>\n<main>\n");
        self.sections.write(&mut html);
        self.statuses.write(&mut html);
        self.findings.write(&mut html);
        self.dates.write(&mut html);
        self.translations.write(&mut html);
        html.raw("</main>\n<script>").raw(SCRIPT).raw("</script>\n</html>\n");
        html.finish()
    }
}
