//! `Crawl-delay` lines.

use std::time::Duration;

/// The delay that a `Crawl-delay` line asks for. Returned by [`Agent::crawl_delay`](super::Agent::crawl_delay).
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
    /// The longest delay to obey: 30 seconds, which is the longest that Bing documents.
    ///
    /// Some files ask for a delay of a day. A crawl that obeyed it would never end.
    pub const MAX: Duration = Duration::from_secs(30);

    /// Returns the line number, counted from 1.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// Returns the delay that the line asks for. If it's too long for a [`Duration`], returns [`Duration::MAX`].
    pub const fn asked(&self) -> Duration {
        self.asked
    }

    /// Returns the delay to obey between the starts of two requests: [`asked`](Self::asked), but at most
    /// [`MAX`](Self::MAX).
    pub fn wait(&self) -> Duration {
        self.asked.min(Self::MAX)
    }

    /// Returns `true` if the line asks for more than [`MAX`](Self::MAX).
    pub fn is_capped(&self) -> bool {
        self.asked > Self::MAX
    }
}

/// Parses the value of a `Crawl-delay` line: a number of seconds, possibly with a fraction.
pub(super) fn parse(value: &[u8]) -> Option<Duration> {
    let value = str::from_utf8(value).ok()?;
    // This also excludes the exponents and infinities that `f64` accepts.
    if !value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let seconds: f64 = value.parse().ok()?;
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}
