//! What the answer to the request for a robots.txt means for the pages of its host.

use super::agent::{Agent, Source};
use super::answer::RobotsAnswer;
use super::robots_txt::RobotsTxt;

/// What the answer to the request for a robots.txt means for the pages of its host.
///
/// | answer | pages |
/// |---|---|
/// | 2xx | as the rules say |
/// | 4xx other than 429, more than five redirects, other redirects that were not followed | all allowed |
/// | 429, 5xx, no response, any other status | none allowed |
///
/// The status 429 is disputed. RFC 9309 treats it like 404, and Google like a server error. It is treated as Google
/// does, because it asks for fewer requests, not for more. More than five redirects allow all pages, as RFC 9309
/// permits and Google does.
///
/// Sources: RFC 9309 §2.3.1, [Google](https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt).
///
/// # What is left to the caller
///
/// A request with a condition can return 304, which confirms an earlier answer: use that. Here, 304 allows no page,
/// because it has no rules.
///
/// An answer may be used for 24 hours. While the file is unreachable, an earlier answer may be used for longer, and
/// after a long time, such as 30 days, the crawler may treat the file as unavailable.
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
    /// The pages that the rules allow.
    Rules(RobotsTxt),
    /// All pages, because there is no robots.txt.
    All(RobotsAnswer),
    /// No page, because it is not known whether there is a robots.txt.
    Nothing(RobotsAnswer),
}

impl Access {
    /// The number of redirects to follow from a robots.txt, also to other hosts. The rules apply to the first host.
    pub const MAX_REDIRECTS: usize = 5;

    /// Returns what an answer means. The body counts only if the status is 2xx.
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
