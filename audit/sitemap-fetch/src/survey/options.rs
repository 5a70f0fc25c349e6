//! A survey and its options.

use std::fmt;
use std::time::Duration;

use sitemap_pages::state::State;

use super::progress::SurveyProgress;
use crate::Fetcher;

/// Requests a site's pages, and stores what they state in a [`State`].
///
/// ```no_run
/// use std::time::SystemTime;
/// use sitemap_fetch::{FetchOptions, Fetcher};
/// use sitemap_pages::state::{ListedPage, State};
/// use sitemap_fetch::survey::Survey;
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let mut state = State::create_or_open("site.state")?;
/// let loc = "https://example.com/oak".to_owned();
/// state.set_listing(&["https://example.com/sitemap.xml"], [ListedPage::new(0, loc)])?;
///
/// let fetcher = Fetcher::new(FetchOptions::new())?;
/// let done = Survey::new(&state, &fetcher).check(SystemTime::now()).await?;
/// assert_eq!(done.summary.progress.visited, 1);
/// # Ok(())
/// # }
/// ```
pub struct Survey<'s> {
    pub(super) state: &'s State,
    pub(super) fetcher: &'s Fetcher,
    pub(super) sample: Option<(u64, u64)>,
    pub(super) only: Box<dyn Fn(&str) -> bool + 's>,
    pub(super) on_progress: Box<dyn FnMut(&SurveyProgress) + 's>,
}

impl<'s> Survey<'s> {
    /// Creates a survey.
    pub fn new(state: &'s State, fetcher: &'s Fetcher) -> Self {
        Self { state, fetcher, sample: None, only: Box::new(|_| true), on_progress: Box::new(|_| {}) }
    }

    /// Limits a check to a random sample of `pages` listed pages. The same seed chooses the same pages.
    ///
    /// ```
    /// use sitemap_fetch::{FetchOptions, Fetcher};
    /// use sitemap_pages::state::State;
    /// use sitemap_fetch::survey::Survey;
    ///
    /// let (state, fetcher) = (State::in_memory()?, Fetcher::new(FetchOptions::new())?);
    /// let survey = Survey::new(&state, &fetcher).sample(100, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sample(mut self, pages: u64, seed: u64) -> Self {
        self.sample = Some((pages, seed));
        self
    }

    /// Limits a crawl to its start pages and the pages that the function accepts. All others are not requested, and
    /// their number is in [`Done::excluded`](super::Done::excluded).
    ///
    /// ```
    /// use sitemap_fetch::{FetchOptions, Fetcher};
    /// use sitemap_pages::state::State;
    /// use sitemap_fetch::survey::Survey;
    ///
    /// let (state, fetcher) = (State::in_memory()?, Fetcher::new(FetchOptions::new())?);
    /// let survey = Survey::new(&state, &fetcher).only(|url| !url.contains("/print/"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn only(mut self, accept: impl Fn(&str) -> bool + 's) -> Self {
        self.only = Box::new(accept);
        self
    }

    /// Calls a function after each visit with the survey's progress.
    ///
    /// ```
    /// use sitemap_fetch::{FetchOptions, Fetcher};
    /// use sitemap_pages::state::State;
    /// use sitemap_fetch::survey::Survey;
    ///
    /// let (state, fetcher) = (State::in_memory()?, Fetcher::new(FetchOptions::new())?);
    /// let survey = Survey::new(&state, &fetcher).on_progress(|at| println!("{} of {}", at.done(), at.expected));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn on_progress(mut self, report: impl FnMut(&SurveyProgress) + 's) -> Self {
        self.on_progress = Box::new(report);
        self
    }
}

impl fmt::Debug for Survey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Survey").field("sample", &self.sample).finish_non_exhaustive()
    }
}

/// The limits of a crawl. Pages that exceed the number or the depth are counted in the [record of the
/// run](sitemap_pages::state::RunRecord::gaps). If the time runs out, the run stays unfinished.
///
/// ```
/// use std::time::Duration;
/// use sitemap_fetch::survey::CrawlLimits;
///
/// let limits = CrawlLimits::new().pages(10_000).depth(5).time(Duration::from_secs(600));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct CrawlLimits {
    pub(super) pages: u64,
    pub(super) depth: u32,
    pub(super) time: Option<Duration>,
}

impl CrawlLimits {
    /// Returns the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the maximum number of URLs. Default: 1,000,000. See the [example](Self).
    pub fn pages(mut self, pages: u64) -> Self {
        self.pages = pages;
        self
    }

    /// Sets the maximum number of links between a page and the nearest start page or listed page. Default: 100. See the
    /// [example](Self).
    pub fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Sets the maximum duration of one call. Default: no limit. If it ends a crawl early, the next call can continue
    /// the crawl. See the [example](Self).
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }
}

impl Default for CrawlLimits {
    fn default() -> Self {
        Self { pages: 1_000_000, depth: 100, time: None }
    }
}
