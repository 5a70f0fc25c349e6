//! What a run has done so far, and in the end.

use std::time::Duration;

/// The numbers of a run, so far.
///
/// ```
/// use std::time::Duration;
/// use sitemap_pages::fetch::RunProgress;
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

/// What a run has done, as [`Fetcher::run`](super::Fetcher::run) returns it.
///
/// ```
/// use sitemap_pages::fetch::RunSummary;
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
}

/// A host that was given up, because it asks for a longer pause than the limit.
///
/// ```
/// use std::time::Duration;
/// use sitemap_pages::fetch::GivenUp;
///
/// let given_up = GivenUp {
///     host: "example.com".to_owned(),
///     asked: Duration::from_secs(86_400),
///     limit: Duration::from_secs(120),
///     visits: 3,
/// };
/// assert_eq!(
///     given_up.to_string(),
///     "`example.com` asks to wait 86400 s, more than the limit of 120 s; try again later, or allow longer waits"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// The host.
    pub host: String,
    /// The time that the host asked for with `Retry-After`.
    pub asked: Duration,
    /// The limit on that time.
    pub limit: Duration,
    /// The number of visits that failed because of it.
    pub visits: u64,
}

impl std::fmt::Display for GivenUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { host, asked, limit, .. } = self;
        let (asked, limit) = (asked.as_secs_f64(), limit.as_secs_f64());
        write!(
            f,
            "`{host}` asks to wait {asked} s, more than the limit of {limit} s; try again later, or allow longer waits"
        )
    }
}
