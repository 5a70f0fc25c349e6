//! Evidence in memory.

use std::collections::BTreeMap;
use std::convert::Infallible;

use super::evidence::{Crawl, Evidence, Listed, PageRecord};
use crate::content::Blocks;
use crate::visit::{Outcome, Visit};

/// Evidence kept in memory, for a few thousand pages and for tests.
///
/// ```
/// use std::time::SystemTime;
/// use sitemap_pages::facts::{PageFacts, Response};
/// use sitemap_pages::judge::{JudgeOptions, Listed, MemoryEvidence, PageRecord, judge};
/// use sitemap_pages::visit::{Outcome, Validators, Visit};
/// use sitemap_read::SitemapReader;
///
/// let mut evidence = MemoryEvidence::default();
/// let mut sitemap = SitemapReader::from_slice(b"https://example.com/oak\n");
/// while let Some(item) = sitemap.next()? {
///     evidence.entries.push(Listed::new(0, item.span(), item.loc().as_str()));
/// }
///
/// let url = "https://example.com/oak";
/// let headers = [("content-type", "text/html"), ("x-robots-tag", "noindex")];
/// let response = Response::new(url, 200, &headers, b"<p>Oak");
/// let facts = Box::new(PageFacts::of(&response));
/// let outcome = Outcome::Page { facts, validators: Validators::default() };
/// evidence.add(PageRecord::new(Visit::new(url.into(), SystemTime::now(), outcome)));
///
/// let mut lines = Vec::new();
/// let judgement = judge(&evidence, &JudgeOptions::new(), &mut |verdict| {
///     lines.extend(verdict.findings.iter().map(ToString::to_string));
/// });
/// assert!(judgement.is_ok());
/// assert_eq!(
///     lines,
///     [
///         "1:1: error[page-noindex]: https://example.com/oak: the page has `noindex` in the header `X-Robots-Tag`; \
///          remove the `noindex` or the entry"
///     ]
/// );
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MemoryEvidence {
    /// The entries of the set, ordered by file and position.
    pub entries: Vec<Listed>,
    /// The visits to URLs that can't exist.
    pub probes: Vec<Visit>,
    /// The crawl, if there was one.
    pub crawl: Option<Crawl>,
    /// The links that the crawl found, as pairs of source and target.
    pub links: Vec<(String, String)>,
    pages: BTreeMap<String, PageRecord>,
}

impl MemoryEvidence {
    /// Adds a page's record, replacing any earlier record of the same URL.
    pub fn add(&mut self, record: PageRecord) {
        self.pages.insert(record.visit.url.clone(), record);
    }
}

impl Evidence for MemoryEvidence {
    type Error = Infallible;

    fn entries(&self, each: &mut dyn FnMut(&Listed) -> Result<(), Infallible>) -> Result<(), Infallible> {
        self.entries.iter().try_for_each(each)
    }

    fn pages(&self, each: &mut dyn FnMut(&PageRecord)) -> Result<(), Infallible> {
        self.pages.values().for_each(each);
        Ok(())
    }

    fn page(&self, url: &str) -> Result<Option<PageRecord>, Infallible> {
        Ok(self.pages.get(url).cloned())
    }

    fn blocks(&self, each: &mut dyn FnMut(&str, &Blocks)) -> Result<(), Infallible> {
        for page in self.pages.values().filter(|page| page.visit.hops.is_empty()) {
            if let Some(facts) = page.facts().filter(|facts| !facts.blocks.is_empty()) {
                each(&page.visit.url, &facts.blocks);
            }
        }
        Ok(())
    }

    fn probes(&self, each: &mut dyn FnMut(&Visit, &Blocks)) -> Result<(), Infallible> {
        for visit in &self.probes {
            if let Outcome::Page { facts, .. } = &visit.outcome {
                each(visit, &facts.blocks);
            }
        }
        Ok(())
    }

    fn crawl(&self) -> Result<Option<Crawl>, Infallible> {
        Ok(self.crawl.clone())
    }

    fn links(&self, each: &mut dyn FnMut(&str, &str)) -> Result<(), Infallible> {
        self.links.iter().for_each(|(from, to)| each(from, to));
        Ok(())
    }
}
