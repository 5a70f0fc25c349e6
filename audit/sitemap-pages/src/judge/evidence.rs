//! The evidence that a judgement is based on.

use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_read::Span;

use crate::content::{Blocks, SharedBlocks};
use crate::facts::PageFacts;
use crate::visit::{Outcome, Visit};

/// What is known about the pages of a sitemap set: its entries, the last visit to each page, and the links found by a
/// crawl.
///
/// A state file can serve as evidence (see `StateEvidence`). [`MemoryEvidence`](super::MemoryEvidence) is kept in
/// memory.
///
/// Methods pass their items one at a time, so that no implementation has to keep all of them in memory. A judgement
/// calls each method several times and relies on getting the same items in the same order. If `each` returns an error,
/// [`entries`](Self::entries) stops and returns that error.
///
/// ```
/// use std::convert::Infallible;
/// use std::time::SystemTime;
/// use sitemap_pages::content::Blocks;
/// use sitemap_pages::judge::{Crawl, Evidence, JudgeOptions, Listed, PageRecord, judge};
/// use sitemap_pages::visit::Visit;
///
/// /// A set without entries.
/// struct Nothing;
///
/// impl Evidence for Nothing {
///     type Error = Infallible;
///
///     fn entries(&self, _: &mut dyn FnMut(&Listed) -> Result<(), Infallible>) -> Result<(), Infallible> {
///         Ok(())
///     }
///
///     fn pages(&self, _: &mut dyn FnMut(&PageRecord)) -> Result<(), Infallible> {
///         Ok(())
///     }
///
///     fn page(&self, _: &str) -> Result<Option<PageRecord>, Infallible> {
///         Ok(None)
///     }
///
///     fn blocks(&self, _: &mut dyn FnMut(&str, &Blocks)) -> Result<(), Infallible> {
///         Ok(())
///     }
///
///     fn probes(&self, _: &mut dyn FnMut(&Visit, &Blocks)) -> Result<(), Infallible> {
///         Ok(())
///     }
///
///     fn crawl(&self) -> Result<Option<Crawl>, Infallible> {
///         Ok(None)
///     }
///
///     fn links(&self, _: &mut dyn FnMut(&str, &str)) -> Result<(), Infallible> {
///         Ok(())
///     }
/// }
///
/// let judgement = judge(&Nothing, &JudgeOptions::new(), &mut |_| {}).unwrap();
/// assert_eq!(judgement.pages(), 0);
/// ```
pub trait Evidence {
    /// The type of error when evidence can't be read.
    type Error;

    /// Passes each entry of the set, ordered by file and position.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence can't be read.
    fn entries(&self, each: &mut dyn FnMut(&Listed) -> Result<(), Self::Error>) -> Result<(), Self::Error>;

    /// Passes the records of all pages, listed or not, ordered by URL.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence can't be read.
    fn pages(&self, each: &mut dyn FnMut(&PageRecord)) -> Result<(), Self::Error>;

    /// Returns the record of the page with this URL, which contains no fragment. Called only for pages that a judgement
    /// has to look at twice, such as those with findings.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence can't be read.
    fn page(&self, url: &str) -> Result<Option<PageRecord>, Self::Error>;

    /// Passes the URL and blocks of every page with content, listed or not, in any order.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence can't be read.
    fn blocks(&self, each: &mut dyn FnMut(&str, &Blocks)) -> Result<(), Self::Error>;

    /// Returns the blocks that the pages of [`blocks`](Self::blocks) share, if they are already known. The default
    /// returns `None`, so a judgement counts them itself.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence can't be read.
    fn shared_blocks(&self) -> Result<Option<SharedBlocks>, Self::Error> {
        Ok(None)
    }

    /// Passes the visits to URLs that can't exist, with the blocks of their responses. A judgement compares them with
    /// the pages in the same directory.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence can't be read.
    fn probes(&self, each: &mut dyn FnMut(&Visit, &Blocks)) -> Result<(), Self::Error>;

    /// Returns how the crawl of the site ended, or `None` if there was no crawl.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence can't be read.
    fn crawl(&self) -> Result<Option<Crawl>, Self::Error>;

    /// Passes the links that the crawl found: the URL of the page that contains the link, and the URL that it links to.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence can't be read.
    fn links(&self, each: &mut dyn FnMut(&str, &str)) -> Result<(), Self::Error>;
}

/// An entry of a sitemap set.
///
/// ```
/// use sitemap_pages::judge::Listed;
/// use sitemap_read::{Position, Span};
///
/// let entry = Listed::new(0, Span::new(Position::new(120, 3, 5), 40), "https://example.com/oak");
/// assert_eq!((entry.file, &*entry.loc), (0, "https://example.com/oak"));
/// assert!(entry.lastmod.is_none() && entry.alternates.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Listed {
    /// The index of the entry's file in the report.
    pub file: usize,
    /// The position of the entry, or of its `loc`, in the file.
    pub span: Span,
    /// The page's URL.
    pub loc: String,
    /// The entry's `lastmod`.
    pub lastmod: Option<LastMod>,
    /// The language and URL of each version of the page.
    pub alternates: Vec<(String, String)>,
    /// When the file was read, if known.
    pub read_at: Option<SystemTime>,
}

impl Listed {
    /// Creates an entry with only a URL.
    pub fn new(file: usize, span: Span, loc: impl Into<String>) -> Self {
        Self { file, span, loc: loc.into(), lastmod: None, alternates: Vec::new(), read_at: None }
    }
}

/// What is known about a page.
///
/// ```
/// use std::time::SystemTime;
/// use sitemap_pages::judge::PageRecord;
/// use sitemap_pages::visit::{Outcome, Visit};
///
/// let visit = Visit::new("https://example.com/oak".to_owned(), SystemTime::UNIX_EPOCH, Outcome::NotModified(Box::default()));
/// let record = PageRecord::new(visit);
/// assert!(record.facts().is_none(), "no earlier visit had content");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PageRecord {
    /// The last visit. Its facts may lack blocks and links, because [`Evidence`] has separate methods for them.
    pub visit: Visit,
    /// The facts of the last visit with content. These are used if the page was not modified, so that the last visit
    /// has no facts.
    pub earlier: Option<Box<PageFacts>>,
    /// The first visit that saw the current content.
    pub content_since: Option<SystemTime>,
    /// The last visit that still saw the old content, before its most recent change. `None` if the content hasn't changed since the first
    /// visit.
    pub unchanged_until: Option<SystemTime>,
    /// The first visit, if known.
    pub first_seen: Option<SystemTime>,
}

impl PageRecord {
    /// Creates the record of a page that was visited once.
    pub fn new(visit: Visit) -> Self {
        let (content_since, first_seen) = (visit.outcome.is_answer().then_some(visit.at), Some(visit.at));
        Self { visit, earlier: None, content_since, unchanged_until: None, first_seen }
    }

    /// Returns the page's facts, or `None` if no visit got a response.
    pub fn facts(&self) -> Option<&PageFacts> {
        match &self.visit.outcome {
            Outcome::Page { facts, .. } => Some(facts),
            Outcome::NotModified(_) => self.earlier.as_deref(),
            Outcome::Blocked(_) | Outcome::Failed(_) => None,
        }
    }
}

/// The crawl of a site.
///
/// The times determine what the crawl is too old to know. Without them, all evidence is treated as if it came from the
/// same time.
///
/// ```
/// use sitemap_pages::judge::Crawl;
///
/// let crawl = Crawl::new(vec!["https://example.com/".to_owned()]);
/// assert!(crawl.incomplete.is_none() && crawl.began.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crawl {
    /// The URLs where the crawl started. These pages need no links to them.
    pub starts: Vec<String>,
    /// Why the crawl is incomplete, or `None` if it is complete.
    pub incomplete: Option<String>,
    /// When the crawl started. A complete crawl did not reach pages whose last visit is before this time.
    pub began: Option<SystemTime>,
    /// When the first run after the crawl started to visit pages. The crawl did not look for links to pages first
    /// visited at this time or later.
    pub ended_by: Option<SystemTime>,
    /// Visits before this time are too old to tell whether an unlisted page still exists.
    pub holds_from: Option<SystemTime>,
}

impl Crawl {
    /// Creates a complete crawl.
    pub fn new(starts: Vec<String>) -> Self {
        Self { starts, ..Self::default() }
    }
}
