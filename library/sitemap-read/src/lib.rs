//! Reads and checks sitemaps from any source: XML sitemaps, sitemap indexes, text sitemaps, RSS and Atom.
//!
//! Use this crate to crawl a site through its sitemaps, to monitor them, or to test the sitemaps that your own program
//! writes. The reader streams entries from a slice or any reader, and repairs defects whose intended meaning is clear.
//! The checker applies over a hundred rules to a file or to a whole set (an index and its child sitemaps). Both report
//! defects as findings, each with a rule, a position and a remedy.
//!
//! # Read the entries of a sitemap
//!
//! [`SitemapReader`] reads from a slice or a stream, compressed or not, and detects the format from the content:
//!
//! ```
//! use sitemap_read::SitemapReader;
//!
//! let xml = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//! <url><loc>https://example.com/</loc><lastmod>2024-03-09</lastmod></url>
//! <url><loc>https://example.com/?page=1&sort=price</loc></url>
//! </urlset>"#;
//!
//! let mut reader = SitemapReader::from_slice(xml);
//! let mut urls = Vec::new();
//! while let Some(item) = reader.next()? {
//!     urls.push(item.loc().to_string());
//! }
//! assert_eq!(urls, ["https://example.com/", "https://example.com/?page=1&sort=price"]);
//!
//! // The raw `&` is invalid XML. The reader understood it and reports it:
//! let finding = reader.drain_findings().next().unwrap();
//! assert_eq!(finding.to_string(), "3:38: error[ampersand-raw]: an `&` is not escaped, found \"&\"; write `&amp;`");
//! # Ok::<(), sitemap_read::ReadError>(())
//! ```
//!
//! # Check a set and print its findings
//!
//! [`Checker`] applies the [rules](Rule) to single documents, or to an index and all of its child sitemaps. A
//! [`SitemapSource`] opens the child sitemaps:
//!
//! ```
//! use std::collections::HashMap;
//!
//! use sitemap_core::Loc;
//! use sitemap_read::{CheckOptions, Checker, OpenError, OpenedSitemap, Severity, SitemapSource};
//!
//! /// Files by their URLs. A real source sends HTTP requests or reads a directory.
//! struct Files(HashMap<&'static str, &'static [u8]>);
//!
//! impl SitemapSource for Files {
//!     type Content = &'static [u8];
//!
//!     fn open(&mut self, loc: &Loc<'_>, _: &str) -> Result<OpenedSitemap<Self::Content>, OpenError> {
//!         let content = self.0.get(loc.as_str()).ok_or_else(|| OpenError::unavailable("HTTP status 404"))?;
//!         Ok(OpenedSitemap::new(loc.as_str(), *content))
//!     }
//! }
//!
//! let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//! <sitemap><loc>https://example.com/a.txt</loc></sitemap>
//! <sitemap><loc>https://example.com/b.txt</loc></sitemap>
//! </sitemapindex>"#;
//! let mut files = Files(HashMap::from([("https://example.com/a.txt", &b"https://example.com/#top\n"[..])]));
//!
//! let mut checker = Checker::new(CheckOptions::new());
//! checker.check_set(OpenedSitemap::new("sitemap.xml", &index[..]), &mut files)?;
//! let report = checker.finish();
//!
//! let lines: Vec<_> = report.findings().map(|(file, finding)| format!("{}:{finding}", file.name())).collect();
//! println!("{}", lines.join("\n"));
//! assert_eq!(
//!     lines,
//!     [
//!         "sitemap.xml:3:15: error[child-missing]: the child sitemap cannot be opened: HTTP status 404, \
//!          found \"https://example.com/b.txt\"; publish the file or remove it from the index",
//!         "https://example.com/a.txt:1:1: warning[loc-fragment]: a URL has a fragment, which crawlers ignore, \
//!          found \"https://example.com/#top\"; remove the `#` and everything after it",
//!     ]
//! );
//! assert_eq!((report.pages(), report.count(Severity::Error)), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Follow robots.txt and an index to every page
//!
//! [`sitemap_core::robots`] reads the `Sitemap:` lines of robots.txt. An index yields [`Item::Sitemap`], while other
//! documents yield [`Item::Page`]:
//!
//! ```
//! use std::collections::{HashMap, HashSet};
//!
//! use sitemap_core::{Loc, robots};
//! use sitemap_read::{Item, SitemapReader};
//!
//! let web = HashMap::from([
//!     ("https://example.com/robots.txt", "User-agent: *\nSitemap: https://example.com/sitemap.xml\n"),
//!     (
//!         "https://example.com/sitemap.xml",
//!         r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!         <sitemap><loc>https://example.com/pages.txt</loc></sitemap></sitemapindex>"#,
//!     ),
//!     ("https://example.com/pages.txt", "https://example.com/\nhttps://example.com/about\n"),
//! ]);
//!
//! let robots_txt = web["https://example.com/robots.txt"].as_bytes();
//! let mut queue = Vec::new();
//! for line in robots::sitemaps(robots_txt) {
//!     queue.push(line.loc()?.into_owned());
//! }
//! let mut seen: HashSet<Loc<'static>> = queue.iter().cloned().collect();
//! let mut pages = Vec::new();
//! while let Some(sitemap) = queue.pop() {
//!     let mut reader = SitemapReader::from_slice(web[sitemap.as_str()].as_bytes());
//!     while let Some(item) = reader.next()? {
//!         let loc = item.loc().clone().into_owned();
//!         match item {
//!             Item::Sitemap(_) if seen.insert(loc.clone()) => queue.push(loc),
//!             Item::Page(_) => pages.push(loc),
//!             _ => {}
//!         }
//!     }
//! }
//! assert_eq!(pages, ["https://example.com/", "https://example.com/about"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to find what
//!
//! | task | item |
//! |---|---|
//! | read entries one by one, borrowed from the reader | [`SitemapReader`] |
//! | collect owned entries | [`SitemapReader::into_entries`] |
//! | detect the kind of a document | [`SitemapReader::document`], [`Document`] |
//! | look up which formats are read, and how each defect is treated | the module [`read`] |
//! | limit memory and time for untrusted documents | [`ReadLimits`], [`ReadOptions`] |
//! | show the source text of a finding | [`Finding::span`], [`document_text`] |
//! | find the files of child sitemaps next to their index | [`ChildPaths`] |
//! | check documents that are in memory | [`Checker::check_slice`] |
//! | check an index and its child sitemaps | [`Checker::check_set`], [`SitemapSource`] |
//! | add the rules of Google, Bing or Yandex | [`CheckOptions`], [`Engine`] |
//! | allow, weaken or strengthen rules, for all files or for some | [`Levels`], [`RuleSelector`] |
//! | report only findings that an earlier check did not have | [`Baseline`] |
//! | test the sitemap of your own program | the module [`testing`] |
//! | look up a rule, its severity, source, reason, examples and remedy | [`Rule`], [`Example`], [`Authority`] |
//! | count findings and pages | [`Report`], [`FileReport`] |
//! | group files by section | [`section_of`], [`FileReport::section`] |
//!
//! A page is returned as an [`Entry`](sitemap_core::Entry), the same type that `sitemap-core` writes and publishes.
//! `sitemap-cli` is a command-line tool that runs the same checks.
//!
//! # Features
//!
//! `gzip` is on by default.
//!
//! | feature | adds |
//! |---|---|
//! | `gzip` | reading compressed documents |
//! | `encoding` | reading documents in UTF-16 and the other encodings of the Encoding Standard |
//! | `serde` | `Serialize` for reports and findings, `Serialize` and `Deserialize` for entries |
//!
//! # Where the code is
//!
//! | module | what |
//! |---|---|
//! | [`read`] | one document: bytes to entries and findings; its page lists its modules |
//! | `check` | files and sets: the checker, its options and its report |
//! | `check/rules` | the code of the rules, by subject, and how to add a rule |
//! | `rule/table` | the facts of each rule: severity, source, reason, remedy and examples |
//! | `child_paths` | where the files of child sitemaps are |
//! | `section` | which section a file belongs to |
//! | [`testing`] | assertions for tests |
//!
//! # What this crate does not do
//!
//! This crate doesn't fetch, publish or serve sitemaps. It reads bytes that your program has already fetched.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod check;
mod child_paths;
pub mod read;
mod rule;
mod section;
pub mod testing;

pub use check::{
    Baseline, CheckOptions, Checker, FileReport, Known, Level, Levels, OpenError, OpenedSitemap, Report,
    SitemapSource,
};
pub use child_paths::ChildPaths;
pub use read::{
    Document, DocumentKind, Entries, Finding, Item, PageItem, Position, ReadError, ReadErrorKind, ReadLimits,
    ReadOptions, SitemapItem, SitemapReader, Span, Value, document_text, quoted, xml_violations,
};
pub use rule::{Authority, Engine, Example, Rule, RuleGroup, RuleSelector, Severity, UnknownName};
pub use section::section_of;
