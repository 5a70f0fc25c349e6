//! The front door: documents and sets in, a report out.

use std::io::Read;

use crate::read::ReadError;
use crate::read::{DocumentKind, SitemapReader};

use super::document;
use super::memory::Memory;
use super::options::CheckOptions;
use super::report::Report;
use super::set;
use super::source::{NoSource, OpenedSitemap, SitemapSource};

/// Checks sitemaps, indexes, text sitemaps and feeds, one by one or as a set.
///
/// All that one checker is given counts as one set: a page in two of the files is found, and versions
/// for other languages may be in any of them. Files are read as a stream; memory grows by some bytes
/// for each page (see [`CheckOptions::duplicates`]) and by the findings that are kept.
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
/// assert_eq!(found, [(Rule::XsdOrder, "5:5".into()), (Rule::OutOfScope, "7:13".into())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a checker reports nothing until it is finished"]
pub struct Checker {
    options: CheckOptions,
    memory: Memory,
}

impl Checker {
    /// A checker that has seen nothing yet.
    pub fn new(options: CheckOptions) -> Self {
        Self { options, memory: Memory::default() }
    }

    /// Checks one document; the sitemaps of an index are not opened.
    ///
    /// # Errors
    ///
    /// If reading fails. What is wrong with the document is a finding, not an error.
    pub fn check<R: Read + Send>(&mut self, file: OpenedSitemap<R>) -> Result<(), ReadError> {
        let served_at = file.served_at.or_else(|| self.options.served_at.clone());
        let reader = SitemapReader::from_reader_with(file.content, self.options.read);
        let place = (file.name, served_at);
        document::check(&mut self.memory, &self.options, place, reader, &mut NoSource).1
    }

    /// Checks one document in memory; the sitemaps of an index are not opened.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), only that nothing can fail but memory.
    pub fn check_slice(&mut self, name: &str, bytes: &[u8]) -> Result<(), ReadError> {
        let served_at = self.options.served_at.clone();
        let reader = SitemapReader::from_slice_with(bytes, self.options.read);
        let place = (name.into(), served_at);
        document::check(&mut self.memory, &self.options, place, reader, &mut NoSource).1
    }

    /// Checks an index and all sitemaps that it lists, which `source` opens; or one document that is
    /// no index.
    ///
    /// # Errors
    ///
    /// If reading the index fails, or the source says that checking must end. A sitemap that cannot
    /// be read is a finding.
    pub fn check_set<R: Read + Send, S: SitemapSource>(
        &mut self,
        index: OpenedSitemap<R>,
        source: &mut S,
    ) -> Result<(), ReadError> {
        let served_at = index.served_at.or_else(|| self.options.served_at.clone());
        let reader = SitemapReader::from_reader_with(index.content, self.options.read);
        let place = (index.name, served_at);
        let (outcome, end) = document::check(&mut self.memory, &self.options, place, reader, source);
        end?;
        if outcome.document.is_some_and(|document| document.kind == DocumentKind::Index) {
            set::check(&mut self.memory, &self.options, outcome, source)?;
        }
        Ok(())
    }

    /// What the check came to.
    pub fn finish(self) -> Report {
        let Memory { mut drawer, pages, hreflang, .. } = self.memory;
        hreflang.finish(&pages, &mut drawer, &self.options);
        drawer.finish()
    }
}
