//! Tests the checker's rules, each with a document that breaks it and one that almost does.

mod baseline;
mod document;
mod engine;
mod every_rule;
mod examples;
mod extension;
mod hreflang;
mod levels;
mod omitted;
mod page;
mod report;
mod scope;
#[cfg(feature = "serde")]
mod serde;
mod set;
mod set_scope;
mod threads;
mod well_formed;

use std::collections::HashMap;

use sitemap_core::{LastMod, Loc};
use sitemap_read::{CheckOptions, Checker, OpenError, OpenedSitemap, Report, Severity, SitemapSource};

const NAMESPACE: &str = r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9""#;
const EXTENSIONS: &str = concat!(
    r#"xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" "#,
    r#"xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" "#,
    r#"xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" "#,
    r#"xmlns:xhtml="http://www.w3.org/1999/xhtml""#,
);

/// Returns a urlset whose entries start on line 2.
fn urlset(entries: &str) -> String {
    format!("<urlset {NAMESPACE} {EXTENSIONS}>\n{entries}\n</urlset>\n")
}

/// Returns an index whose entries start on line 2.
fn index(sitemaps: &str) -> String {
    format!("<sitemapindex {NAMESPACE}>\n{sitemaps}\n</sitemapindex>\n")
}

fn options() -> CheckOptions {
    CheckOptions::new()
}

/// Returns options with this URL for the document.
fn at(loc: &str) -> CheckOptions {
    options().served_at(Loc::parse(loc).unwrap())
}

fn now(time: &str) -> CheckOptions {
    options().now(LastMod::parse(time).unwrap())
}

fn report(options: CheckOptions, document: impl AsRef<[u8]>) -> Report {
    let mut checker = Checker::new(options);
    checker.check_slice("sitemap.xml", document.as_ref()).unwrap();
    checker.finish()
}

/// Returns the findings in a document, each as `rule line:column`.
fn found_with(options: CheckOptions, document: impl AsRef<[u8]>) -> Vec<String> {
    lines(&report(options, document), false)
}

fn found(document: impl AsRef<[u8]>) -> Vec<String> {
    found_with(options(), document)
}

fn lines(report: &Report, with_files: bool) -> Vec<String> {
    let line = |(file, finding): (&sitemap_read::FileReport, &sitemap_read::Finding)| {
        let file = if with_files { format!("{}:", file.name()) } else { String::new() };
        format!("{file}{} {}", finding.rule(), finding.span().start)
    };
    report.findings().map(line).collect()
}

/// Returns the first finding's message.
fn message(report: &Report) -> String {
    report.findings().next().map(|(_, finding)| finding.message().to_owned()).unwrap_or_default()
}

const NOTHING: [&str; 0] = [];

/// An origin whose robots.txt nobody knows.
const UNKNOWN: &str = "https://unknown.example";

/// The files in a set, by URL.
#[derive(Default)]
struct Files {
    by_loc: HashMap<String, Vec<u8>>,
    /// Pairs of a sitemap and an origin whose robots.txt lists the sitemap.
    in_robots: Vec<(String, String)>,
    opened: Vec<String>,
    /// The sitemaps that have been checked, and whether they may have findings.
    checked: Vec<(String, bool)>,
}

impl Files {
    fn new<const N: usize>(files: [(&str, String); N]) -> Self {
        let files = files.into_iter().map(|(loc, text)| (loc.to_owned(), text.into_bytes())).collect();
        Self { by_loc: files, ..Self::default() }
    }

    /// Checks the set with the index at this URL.
    fn check(&mut self, options: CheckOptions, loc: &str) -> Report {
        let mut checker = Checker::new(options);
        let index = self.by_loc[loc].clone();
        let index = OpenedSitemap::new(loc, &*index).served_at(Loc::parse(loc).unwrap());
        checker.check_set(index, self).unwrap();
        checker.finish()
    }
}

impl SitemapSource for Files {
    type Content = std::io::Cursor<Vec<u8>>;

    fn open(&mut self, loc: &Loc<'_>, _: &str) -> Result<OpenedSitemap<Self::Content>, OpenError> {
        self.opened.push(loc.to_string());
        let file = self.by_loc.get(loc.as_str()).ok_or_else(|| OpenError::unavailable("HTTP status 404"))?;
        Ok(OpenedSitemap::new(loc.as_str(), std::io::Cursor::new(file.clone())))
    }

    fn checked(&mut self, name: &str, may_have_findings: bool) {
        self.checked.push((name.to_owned(), may_have_findings));
    }

    fn robots_lists(&mut self, sitemap: &Loc<'_>, origin: &str) -> Option<bool> {
        let lists = |(asked, host): &(String, String)| asked == sitemap.as_str() && host == origin;
        (origin != UNKNOWN).then(|| self.in_robots.iter().any(lists))
    }
}

#[test]
fn a_document_as_the_protocol_shows_it_has_no_findings() {
    let document = urlset(
        "<url>\n<loc>http://www.example.com/</loc>\n<lastmod>2005-01-01</lastmod>\n\
         <changefreq>monthly</changefreq>\n<priority>0.8</priority>\n</url>",
    );
    assert_eq!(found(&document), NOTHING);
    assert_eq!(report(options(), &document).worst(), None::<Severity>);
}
