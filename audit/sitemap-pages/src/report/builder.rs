//! Counts pages and findings, and writes the report.

use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_read::Finding;

use super::answers::Answers;
use super::dates::Dates;
use super::fetches::Fetches;
use super::findings::Findings;
use super::html::Html;
use super::page::ReportPage;
use super::section::Sections;
use super::subject::Subject;
use super::{indexing, translations};
use crate::judge::{Table, Translations};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Counts a site's pages for a report, and writes the report.
///
/// ```
/// use std::time::SystemTime;
/// use sitemap_pages::judge::Answer;
/// use sitemap_pages::report::{ReportBuilder, ReportPage};
/// use sitemap_read::{Rule, Severity};
///
/// let mut report = ReportBuilder::new("https://example.com/", SystemTime::UNIX_EPOCH);
/// let answer = Answer::Status(200);
/// report.page(&ReportPage::new("https://example.com/trees/oak", answer));
/// let mut missing = ReportPage::new("https://example.com/trees/elm", Answer::Status(404));
/// missing.worst = Some(Severity::Error);
/// report.page(&missing);
/// report.note("the crawl is not complete");
/// let html = report.finish();
/// assert!(html.starts_with("<!doctype html>"));
/// assert!(html.contains("/trees/</a></th><td>2</td><td>1</td>"), "{html}");
/// ```
#[derive(Debug)]
pub struct ReportBuilder {
    title: String,
    time: Option<SystemTime>,
    subject: Subject,
    indexing: Option<Table>,
    sections: Sections,
    answers: Answers,
    dates: Dates,
    findings: Findings,
    translations: Translations,
    fetches: Option<Fetches>,
    notes: Vec<String>,
}

impl ReportBuilder {
    /// Starts a report about the site called `name`. `time` is the time of the evidence, if known.
    pub fn new(title: impl Into<String>, time: impl Into<Option<SystemTime>>) -> Self {
        Self {
            title: title.into(),
            time: time.into(),
            subject: Subject::Sitemap,
            indexing: None,
            sections: Sections::default(),
            answers: Answers::default(),
            dates: Dates::default(),
            findings: Findings::default(),
            translations: Translations::default(),
            fetches: None,
            notes: Vec::new(),
        }
    }

    /// Starts a report about the pages that a crawl found on a site without a sitemap.
    ///
    /// ```
    /// use std::time::SystemTime;
    /// use sitemap_pages::judge::{Answer, Standing, Table};
    /// use sitemap_pages::report::{ReportBuilder, ReportPage};
    ///
    /// let mut report = ReportBuilder::of_crawl("https://example.com/", SystemTime::UNIX_EPOCH);
    /// report.page(&ReportPage::new("https://example.com/", Answer::Status(200)));
    /// let mut table = Table::default();
    /// table.add("https://example.com/", Standing::Indexable);
    /// report.indexing(table);
    /// let html = report.finish();
    /// assert!(html.contains("<p>1 page crawled, 0 findings"));
    /// assert!(html.contains("indexable</th><td>1</td>"));
    /// ```
    pub fn of_crawl(title: impl Into<String>, time: impl Into<Option<SystemTime>>) -> Self {
        Self { subject: Subject::Crawl, ..Self::new(title, time) }
    }

    /// Counts a page.
    pub fn page(&mut self, page: &ReportPage<'_>) {
        self.sections.add(page);
        self.answers.add(page.answer);
        self.dates.add(page.changed);
    }

    /// Adds a finding about a page, and the name of the file that lists the page, if any.
    ///
    /// For each rule, the report shows the first 100 findings, plus further ones until each section has five, up to
    /// 1,000 findings. The remaining findings are counted by section, and up to 256 KiB of their URLs per rule are
    /// included.
    ///
    /// ```
    /// use std::time::SystemTime;
    /// use sitemap_pages::report::ReportBuilder;
    /// use sitemap_read::{Finding, Rule, SitemapReader};
    ///
    /// let mut reader = SitemapReader::from_slice(b"https://example.com/tmp\n");
    /// let span = reader.next()?.unwrap().span();
    /// let mut report = ReportBuilder::new("example.com", SystemTime::UNIX_EPOCH);
    /// let finding = Finding::new(Rule::OutOfScope, span, "a <temporary> page");
    /// report.finding("https://example.com/tmp", Some("sitemap.txt"), &finding);
    /// assert!(report.finish().contains("a &lt;temporary&gt; page <span class=quiet>sitemap.txt, line 1</span>"));
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn finding(&mut self, url: &str, file: Option<&str>, finding: &Finding) {
        self.findings.add(url, finding, || {
            let line = finding.span().start.line;
            match file {
                Some(file) if line > 0 => format!("{file}, line {line}"),
                file => file.unwrap_or_default().to_owned(),
            }
        });
    }

    /// Adds a finding about a page that no sitemap lists. `linked_from` returns the URL of a page that links to it, if
    /// one is known. It is called only for findings that the report shows in full.
    ///
    /// ```
    /// use std::time::SystemTime;
    /// use sitemap_pages::report::ReportBuilder;
    /// use sitemap_read::{Finding, Position, Rule, Span};
    ///
    /// let mut report = ReportBuilder::of_crawl("example.com", SystemTime::UNIX_EPOCH);
    /// let span = Span::new(Position::new(0, 1, 1), 0);
    /// let finding = Finding::new(Rule::PageMissing, span, "the page answers with status 404");
    /// report.finding_of_crawl("https://example.com/elm", &finding, || Some("https://example.com/".to_owned()));
    /// let html = report.finish();
    /// assert!(html.contains("status 404 <span class=quiet>linked from https://example.com/</span>"));
    /// assert!(html.contains("a linked page does not exist"));
    /// ```
    pub fn finding_of_crawl(
        &mut self,
        url: &str,
        finding: &Finding,
        linked_from: impl FnOnce() -> Option<String>,
    ) {
        self.findings.add(url, finding, || {
            linked_from().map(|from| format!("linked from {from}")).unwrap_or_default()
        });
    }

    /// Sets the number of pages by what prevents them from being indexed. If not set, the report omits them. See the
    /// [example](Self::of_crawl).
    pub fn indexing(&mut self, table: Table) {
        self.indexing = Some(table);
    }

    /// Sets the links between language versions. If not set, the report omits them.
    ///
    /// ```
    /// use std::time::SystemTime;
    /// use sitemap_pages::judge::Translations;
    /// use sitemap_pages::report::ReportBuilder;
    ///
    /// let mut translations = Translations::default();
    /// translations.add("de", "fr", Some(true));
    /// translations.add("de", "fr", Some(false));
    /// let mut report = ReportBuilder::new("example.com", SystemTime::UNIX_EPOCH);
    /// report.translations(translations);
    /// assert!(report.finish().contains("<td>2<br><span class=bad>1 without a link back</span></td>"));
    /// ```
    pub fn translations(&mut self, translations: Translations) {
        self.translations = translations;
    }

    /// Sets the times when crawlers fetched changed pages. If not set, the report omits them. See the
    /// [example](Fetches).
    pub fn fetches(&mut self, fetches: Fetches) {
        self.fetches = Some(fetches);
    }

    /// Adds a line about the evidence to the top of the report, such as why a crawl is incomplete. See the
    /// [example](Self).
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Returns the report as a single HTML document.
    pub fn finish(self) -> String {
        let mut html = Html::default();
        html.raw("<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n");
        html.raw("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n");
        // Without an embedded icon, browsers request one from the server that hosts the report.
        html.raw(
            "<meta name=robots content=noindex>\n<link rel=icon href=\"data:,\">\n<title>Sitemap report: ",
        );
        html.text(&self.title);
        html.raw("</title>\n<style>").raw(STYLE).raw("</style>\n");
        html.raw("<header><h1>").text(&self.title).raw("</h1>\n<p>");
        html.count(self.sections.pages(), "page", "pages").raw(" ").raw(self.subject.participle()).raw(", ");
        html.count(self.findings.total(), "finding", "findings");
        if let Some(time) = self.time.and_then(|time| LastMod::try_from(time).ok()) {
            html.raw(", as of <time>").text(&time.to_string()).raw("</time>");
        }
        html.raw(".</p>\n");
        for note in &self.notes {
            html.raw("<p class=note>").text(note).raw("</p>\n");
        }
        html.raw("</header>\n<main>\n");
        self.sections.write(&mut html);
        self.answers.write(&mut html);
        if let Some(table) = &self.indexing {
            indexing::write(table, &mut html);
        }
        self.findings.write(self.subject, &mut html);
        self.dates.write(&mut html);
        if let Some(fetches) = self.fetches {
            fetches.write(&mut html);
        }
        translations::write(&self.translations, &mut html);
        html.raw("</main>\n<script>").raw(SCRIPT).raw("</script>\n</html>\n");
        html.finish()
    }
}
