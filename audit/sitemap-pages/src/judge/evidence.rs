//! What a judgement is made of.

use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_read::Span;

use crate::content::{Blocks, SharedBlocks};
use crate::facts::PageFacts;
use crate::visit::{Outcome, Visit};

/// What is known about the pages of a sitemap set: its entries, the last visit of each page, and the links of a crawl.
///
/// A state file is evidence. [`MemoryEvidence`](super::MemoryEvidence) is evidence in memory.
///
/// Methods pass their items one by one, so that no implementation needs all of them in memory. A judgement calls each
/// method several times and relies on the same items in the same order. An error that `each` returns ends
/// [`entries`](Self::entries), and is its error.
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
    /// The error of reading the evidence.
    type Error;

    /// Passes each entry of the set, ordered by file and position.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence cannot be read.
    fn entries(&self, each: &mut dyn FnMut(&Listed) -> Result<(), Self::Error>) -> Result<(), Self::Error>;

    /// Passes the records of all pages, listed or not, ordered by URL.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence cannot be read.
    fn pages(&self, each: &mut dyn FnMut(&PageRecord)) -> Result<(), Self::Error>;

    /// Returns the record of the page with this URL, which has no fragment. A judgement asks only for pages that it has
    /// to look at twice, such as those with findings.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence cannot be read.
    fn page(&self, url: &str) -> Result<Option<PageRecord>, Self::Error>;

    /// Passes the URLs of all pages with content, listed or not, each with its blocks, in any order.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence cannot be read.
    fn blocks(&self, each: &mut dyn FnMut(&str, &Blocks)) -> Result<(), Self::Error>;

    /// Returns the blocks that the pages of [`blocks`](Self::blocks) share, if they are known. If not, which is the
    /// default, a judgement counts them.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence cannot be read.
    fn shared_blocks(&self) -> Result<Option<SharedBlocks>, Self::Error> {
        Ok(None)
    }

    /// Passes the visits of URLs that cannot exist, with the blocks of their answers. A judgement compares the pages in
    /// the same directory with them.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence cannot be read.
    fn probes(&self, each: &mut dyn FnMut(&Visit, &Blocks)) -> Result<(), Self::Error>;

    /// Returns how the crawl of the site ended, or `None` if there was no crawl.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence cannot be read.
    fn crawl(&self) -> Result<Option<Crawl>, Self::Error>;

    /// Passes the links that the crawl found: the URL of the page that has the link, and the URL that it leads to.
    ///
    /// # Errors
    ///
    /// Returns an error if the evidence cannot be read.
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
    /// The place of the entry, or of its `loc`, in the file.
    pub span: Span,
    /// The URL of the page.
    pub loc: String,
    /// The date of the page's last change.
    pub lastmod: Option<LastMod>,
    /// The languages and URLs of the page's versions.
    pub alternates: Vec<(String, String)>,
    /// The time when the file was read, if it is known.
    pub read_at: Option<SystemTime>,
}

impl Listed {
    /// Creates an entry that has only a URL.
    pub fn new(file: usize, span: Span, loc: impl Into<String>) -> Self {
        Self { file, span, loc: loc.into(), lastmod: None, alternates: Vec::new(), read_at: None }
    }
}

/// What is known about one page.
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
    /// The last visit. Its facts need neither blocks nor links, because [`Evidence`] has methods for them.
    pub visit: Visit,
    /// The facts of the last visit that had content. They count if the last visit has none because the page was not
    /// modified.
    pub earlier: Option<Box<PageFacts>>,
    /// The first visit that had the content as it is now.
    pub content_since: Option<SystemTime>,
    /// The last visit that found the content from before the last change. `None` if the content did not change since
    /// the first visit.
    pub unchanged_until: Option<SystemTime>,
    /// The first visit, if it is known.
    pub first_seen: Option<SystemTime>,
}

impl PageRecord {
    /// Creates the record of a page that was visited once.
    pub fn new(visit: Visit) -> Self {
        let (content_since, first_seen) = (visit.outcome.is_answer().then_some(visit.at), Some(visit.at));
        Self { visit, earlier: None, content_since, unchanged_until: None, first_seen }
    }

    /// Returns the facts of the page, or `None` if no visit had an answer.
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
/// The times tell what an old crawl cannot know. Without them, the evidence is taken as of one time.
///
/// ```
/// use sitemap_pages::judge::Crawl;
///
/// let crawl = Crawl { starts: vec!["https://example.com/".to_owned()], ..Crawl::default() };
/// assert!(crawl.incomplete.is_none() && crawl.began.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crawl {
    /// The URLs where the crawl began. They need no link.
    pub starts: Vec<String>,
    /// The reason why the crawl is not complete, or `None` if it is.
    pub incomplete: Option<String>,
    /// The time when the crawl began. A complete crawl did not reach pages whose last visit was before.
    pub began: Option<SystemTime>,
    /// The time from which later runs visited pages. The crawl has not looked for links to pages whose first visit is not
    /// before this time.
    pub ended_by: Option<SystemTime>,
    /// The time before which a visit is too old to tell that an unlisted page still exists.
    pub holds_from: Option<SystemTime>,
}
