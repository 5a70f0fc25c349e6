//! The progress and the result of a run.

use std::time::Duration;

/// The counters of a run so far.
///
/// ```
/// use std::time::Duration;
/// use sitemap_fetch::RunProgress;
///
/// let mut progress = RunProgress::default();
/// progress.visited = 300;
/// progress.elapsed = Duration::from_secs(20);
/// assert_eq!(progress.rate(), 15.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunProgress {
    /// The number of finished visits, whatever their outcome.
    pub visited: u64,
    /// Failed visits.
    pub failed: u64,
    /// The number of visits that robots.txt doesn't allow.
    pub blocked: u64,
    /// The number of visits to pages that were not modified.
    pub not_modified: u64,
    /// The number of pages whose body exceeds the limit.
    pub cut: u64,
    /// The number of HTTP requests, including those for robots.txt, redirects and retries.
    pub requests: u64,
    /// The number of repeated requests: after a failure, because the response asked for it, or after a 304 that leaves
    /// open what the page states now.
    pub retries: u64,
    /// Requests under way.
    pub open: usize,
    /// The number of visits that the work has asked for and that aren't finished.
    pub waiting: usize,
    /// The time since the start of the run.
    pub elapsed: Duration,
}

impl RunProgress {
    /// Returns the visits per second, or 0 at the start.
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    pub fn rate(&self) -> f64 {
        let elapsed = self.elapsed.as_secs_f64();
        if elapsed > 0.0 { self.visited as f64 / elapsed } else { 0.0 }
    }
}

/// The result of [`Fetcher::run`](crate::Fetcher::run).
///
/// ```
/// use sitemap_fetch::RunSummary;
///
/// let summary = RunSummary::default();
/// assert_eq!(summary.progress.visited, 0);
/// assert!(summary.given_up.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunSummary {
    /// The counters at the end. If the work ended the run early, [`waiting`](RunProgress::waiting) counts the visits
    /// that it had asked for and that weren't finished.
    pub progress: RunProgress,
    /// The hosts that the run gave up on, sorted by name.
    pub given_up: Vec<GivenUp>,
    /// The sites whose robots.txt asks for a longer delay than the limit, in the order in which their files were read.
    pub shortened_delays: Vec<ShortenedDelay>,
}

/// A host that the run gave up on.
///
/// ```
/// use std::time::Duration;
/// use sitemap_fetch::{GivenUp, GivenUpReason};
///
/// let (asked, limit) = (Duration::from_secs(86_400), Duration::from_secs(120));
/// let given_up = GivenUp::new("example.com", GivenUpReason::LongPause { asked, limit }, 3);
/// assert_eq!(
///     given_up.to_string(),
///     "`example.com` asks to wait 86400 s, more than the limit of 120 s; try again later"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GivenUp {
    /// The host.
    pub host: String,
    /// The reason.
    pub reason: GivenUpReason,
    /// The number of visits that were not made as a result.
    pub visits: u64,
}

impl GivenUp {
    /// Creates the record of a host that a run gave up on.
    pub fn new(host: impl Into<String>, reason: GivenUpReason, visits: u64) -> Self {
        Self { host: host.into(), reason, visits }
    }
}

/// Why the run gave up on a host.
///
/// ```
/// use sitemap_fetch::{GivenUp, GivenUpReason};
///
/// let last = "`example.com` refused the connection".to_owned();
/// let reason = GivenUpReason::NoAnswer { requests: 20, last };
/// let given_up = GivenUp::new("example.com", reason, 980);
/// assert_eq!(
///     given_up.to_string(),
///     "`example.com` left 20 requests in a row without an answer (`example.com` refused the connection); try again \
///      later"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GivenUpReason {
    /// The host asked for too long a pause.
    LongPause {
        /// The time that the host asked for with `Retry-After`.
        asked: Duration,
        /// The limit on that time.
        limit: Duration,
    },
    /// Many requests in a row went unanswered.
    NoAnswer {
        /// The number of unanswered requests in a row.
        requests: u32,
        /// What happened to the last request.
        last: String,
    },
    /// Many requests in a row were answered with status 429. Only [downloads](crate::Downloader) give up for this
    /// reason.
    TooManyRequests {
        /// The number of such requests in a row.
        requests: u32,
    },
}

impl std::fmt::Display for GivenUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let host = &self.host;
        match &self.reason {
            GivenUpReason::LongPause { asked, limit } => {
                let (asked, limit) = (asked.as_secs_f64(), limit.as_secs_f64());
                write!(
                    f,
                    "`{host}` asks to wait {asked} s, more than the limit of {limit} s; try again later"
                )
            }
            GivenUpReason::NoAnswer { requests, last } => {
                write!(
                    f,
                    "`{host}` left {requests} requests in a row without an answer ({last}); try again later"
                )
            }
            GivenUpReason::TooManyRequests { requests } => write!(
                f,
                "`{host}` answered {requests} requests in a row with status 429, too many requests; try again later, \
                 with fewer requests at the same time"
            ),
        }
    }
}

/// A site whose robots.txt asks for a longer delay between requests than the limit. The run used a shorter one.
///
/// ```
/// use std::time::Duration;
/// use sitemap_fetch::ShortenedDelay;
///
/// let (asked, used) = (Duration::from_secs(600), Duration::from_secs(30));
/// let delay = ShortenedDelay::new("https://example.com", asked, used);
/// assert_eq!(
///     delay.to_string(),
///     "the robots.txt of `https://example.com` asks for a `Crawl-delay` of 600 s, and 30 s were used; set a longer \
///      delay to obey it"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShortenedDelay {
    /// The scheme, host and port.
    pub origin: String,
    /// The time between requests that robots.txt asks for.
    pub asked: Duration,
    /// The time that the run used: [`CrawlDelay::MAX`](sitemap_pages::robots::CrawlDelay::MAX), or the
    /// [delay](crate::FetchOptions::delay) from the options if that is longer.
    pub used: Duration,
}

impl ShortenedDelay {
    /// Creates the record of a delay that was too long.
    pub fn new(origin: impl Into<String>, asked: Duration, used: Duration) -> Self {
        Self { origin: origin.into(), asked, used }
    }
}

impl std::fmt::Display for ShortenedDelay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (origin, asked, used) = (&self.origin, self.asked.as_secs_f64(), self.used.as_secs_f64());
        write!(
            f,
            "the robots.txt of `{origin}` asks for a `Crawl-delay` of {asked} s, and {used} s were used; set a longer \
             delay to obey it"
        )
    }
}
