//! `Crawl-delay` lines.

use std::time::Duration;

/// The delay that a `Crawl-delay` line asks for, as [`Agent::crawl_delay`](super::Agent::crawl_delay) returns it.
///
/// ```
/// use std::time::Duration;
/// use sitemap_pages::robots::RobotsTxt;
///
/// let robots = RobotsTxt::parse(b"User-agent: *\nCrawl-delay: 600\n");
/// let delay = robots.agent("sitemap").crawl_delay().unwrap();
/// assert_eq!((delay.line(), delay.asked()), (2, Duration::from_secs(600)));
/// assert!(delay.is_capped());
/// assert_eq!(delay.wait(), Duration::from_secs(30));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrawlDelay {
    pub(super) line: u64,
    pub(super) asked: Duration,
}

impl CrawlDelay {
    /// The longest delay to obey: 30 seconds, the longest that Bing documents.
    ///
    /// With the delay of a day that some files ask for, a crawl would never end.
    pub const MAX: Duration = Duration::from_secs(30);

    /// Returns the number of the line, counted from 1.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// Returns the delay that the line asks for. A delay that is too long for a [`Duration`] is [`Duration::MAX`].
    pub const fn asked(&self) -> Duration {
        self.asked
    }

    /// Returns the delay to obey, from the start of one request to the start of the next: [`asked`](Self::asked), but
    /// at most [`MAX`](Self::MAX).
    pub fn wait(&self) -> Duration {
        self.asked.min(Self::MAX)
    }

    /// Returns `true` if the line asks for more than [`MAX`](Self::MAX).
    pub fn is_capped(&self) -> bool {
        self.asked > Self::MAX
    }
}

/// Reads the value of a `Crawl-delay` line: a number of seconds, also with a fraction.
pub(super) fn parse(value: &[u8]) -> Option<Duration> {
    let value = str::from_utf8(value).ok()?;
    // Also excludes the exponents and the infinity that `f64` accepts.
    if !value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let seconds: f64 = value.parse().ok()?;
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}
