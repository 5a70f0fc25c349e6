//! What a run has done so far, and in the end.

use std::time::Duration;

/// The numbers of a run, so far.
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
    /// The visits that are done, whatever their outcome.
    pub visited: u64,
    /// The visits that failed.
    pub failed: u64,
    /// The visits that robots.txt does not allow.
    pub blocked: u64,
    /// The visits of pages that were not modified.
    pub not_modified: u64,
    /// The pages whose body is longer than the limit.
    pub cut: u64,
    /// The HTTP requests, with those for robots.txt, redirects and retries.
    pub requests: u64,
    /// The requests that repeat an earlier one, after a failure, an answer that asks for it, or a 304 that leaves open
    /// what the page states now.
    pub retries: u64,
    /// The requests that are under way.
    pub open: usize,
    /// The visits that were taken from the work and are not done.
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

/// What a run has done, as [`Fetcher::run`](crate::Fetcher::run) returns it.
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
    /// The numbers at the end. [`waiting`](RunProgress::waiting) counts the visits that were taken from the work and
    /// not done, because the work ended the run.
    pub progress: RunProgress,
    /// The hosts that were given up, in the order of their names.
    pub given_up: Vec<GivenUp>,
    /// The sites whose robots.txt asks for a longer delay than the limit, in the order in which they were asked.
    pub shortened_delays: Vec<ShortenedDelay>,
}

/// A host that is not asked any more in a run.
///
/// ```
/// use std::time::Duration;
/// use sitemap_fetch::{GivenUp, GivenUpReason};
///
/// let (asked, limit) = (Duration::from_secs(86_400), Duration::from_secs(120));
/// let given_up =
///     GivenUp { host: "example.com".to_owned(), reason: GivenUpReason::LongPause { asked, limit }, visits: 3 };
/// assert_eq!(
///     given_up.to_string(),
///     "`example.com` asks to wait 86400 s, more than the limit of 120 s; try again later"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// The host.
    pub host: String,
    /// The reason.
    pub reason: GivenUpReason,
    /// The number of visits that were not made because of it.
    pub visits: u64,
}

/// The reason why a host is not asked any more.
///
/// ```
/// use sitemap_fetch::{GivenUp, GivenUpReason};
///
/// let last = "`example.com` refused the connection".to_owned();
/// let reason = GivenUpReason::NoAnswer { requests: 20, last };
/// let given_up = GivenUp { host: "example.com".to_owned(), reason, visits: 980 };
/// assert_eq!(
///     given_up.to_string(),
///     "`example.com` left 20 requests in a row without an answer (`example.com` refused the connection); try again \
///      later"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GivenUpReason {
    /// The host asks for a longer pause than the limit.
    LongPause {
        /// The time that the host asked for with `Retry-After`.
        asked: Duration,
        /// The limit on that time.
        limit: Duration,
    },
    /// Many requests in a row had no answer.
    NoAnswer {
        /// The number of requests.
        requests: u32,
        /// What happened to the last one.
        last: String,
    },
    /// Many requests in a row were answered with status 429. Only [downloads](crate::Downloader) end for this reason.
    TooManyRequests {
        /// The number of requests.
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

/// A site whose robots.txt asks for a longer delay between requests than the limit, so that a shorter one was used.
///
/// ```
/// use std::time::Duration;
/// use sitemap_fetch::ShortenedDelay;
///
/// let (asked, used) = (Duration::from_secs(600), Duration::from_secs(30));
/// let delay = ShortenedDelay { origin: "https://example.com".to_owned(), asked, used };
/// assert_eq!(
///     delay.to_string(),
///     "the robots.txt of `https://example.com` asks for a `Crawl-delay` of 600 s, and 30 s were used; set a longer \
///      delay to obey it"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortenedDelay {
    /// The scheme, host and port.
    pub origin: String,
    /// The time between two requests that robots.txt asks for.
    pub asked: Duration,
    /// The time that was used: [`CrawlDelay::MAX`](sitemap_pages::robots::CrawlDelay::MAX), or the
    /// [delay](crate::FetchOptions::delay) of the options if that is longer.
    pub used: Duration,
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
