//! What the response to a robots.txt request means for the host's pages.

use super::agent::{Agent, Source};
use super::answer::RobotsAnswer;
use super::robots_txt::RobotsTxt;

/// What the response to a robots.txt request means for the host's pages.
///
/// | answer | pages |
/// |---|---|
/// | 2xx | as the rules say |
/// | 4xx other than 429, more than five redirects, other redirects that were not followed | all allowed |
/// | 429, 5xx, no response, any other status | none allowed |
///
/// RFC 9309 treats status 429 like 404, Google treats it like a server error. We follow Google, because a 429 asks for
/// fewer requests, not for more. After more than five redirects, all pages are allowed, as RFC 9309 permits and Google
/// does.
///
/// Sources: RFC 9309 §2.3.1, [Google](https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt).
///
/// # What is left to the caller
///
/// A conditional request can return 304, which confirms an earlier answer. Use that answer: on its own, a 304 allows no
/// page, because it contains no rules.
///
/// An answer may be used for 24 hours. While the file is unreachable, an earlier answer may be used for longer. After a
/// long time, such as 30 days, the crawler may treat the file as nonexistent.
///
/// ```
/// use sitemap_pages::robots::{Access, RobotsAnswer};
///
/// let access = Access::new(RobotsAnswer::Status(200), b"User-agent: *\nDisallow: /private\n");
/// assert!(!access.agent("sitemap").is_allowed("https://example.com/private"));
///
/// let access = Access::new(RobotsAnswer::Status(503), b"<h1>Sorry</h1>");
/// assert_eq!(
///     access.agent("sitemap").verdict("https://example.com/").to_string(),
///     "disallowed, because robots.txt answered with status 503"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Access {
    /// Only the pages that the rules allow may be fetched.
    Rules(RobotsTxt),
    /// All pages may be fetched, because there is no robots.txt.
    All(RobotsAnswer),
    /// No page may be fetched, because we don't know whether there is a robots.txt.
    Nothing(RobotsAnswer),
}

impl Access {
    /// The maximum number of redirects to follow from a robots.txt, including redirects to other hosts. The rules still
    /// apply to the first host.
    pub const MAX_REDIRECTS: usize = 5;

    /// Returns what an answer means. The body is used only if the status is 2xx.
    pub fn new(answer: RobotsAnswer, body: &[u8]) -> Self {
        match answer {
            RobotsAnswer::Status(200..=299) => Self::Rules(RobotsTxt::parse(body)),
            RobotsAnswer::Status(429 | 304) => Self::Nothing(answer),
            RobotsAnswer::Status(300..=499) | RobotsAnswer::TooManyRedirects => Self::All(answer),
            RobotsAnswer::Status(_) | RobotsAnswer::Failed => Self::Nothing(answer),
        }
    }

    /// Returns what a crawler may fetch; see [`RobotsTxt::agent`].
    pub fn agent(&self, product_token: &str) -> Agent<'_> {
        match self {
            Self::Rules(robots) => robots.agent(product_token),
            Self::All(answer) => Agent { source: Source::Always { is_allowed: true, answer: *answer } },
            Self::Nothing(answer) => Agent { source: Source::Always { is_allowed: false, answer: *answer } },
        }
    }

    /// Returns the parsed file, if there is one.
    pub const fn rules(&self) -> Option<&RobotsTxt> {
        match self {
            Self::Rules(robots) => Some(robots),
            Self::All(_) | Self::Nothing(_) => None,
        }
    }
}
