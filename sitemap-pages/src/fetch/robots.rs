//! The robots.txt of an origin: how it answered, and what that means for pages.

use std::time::SystemTime;

use url::Url;

use crate::robots::{Access, CrawlDelay, Reason, RobotsAnswer};
use crate::visit::{Blocked, Failure, FailureKind, Outcome};

/// How the request for the robots.txt of an origin ended.
///
/// A run asks each origin once. To give a later run the answer of an earlier one, keep what
/// [`Work::store_robots`](super::Work::store_robots) gets, and return it from [`Work::robots`](super::Work::robots). An
/// answer may be used for 24 hours.
///
/// Source: RFC 9309, section 2.4.
///
/// ```
/// use std::time::SystemTime;
/// use sitemap_pages::fetch::RobotsFile;
/// use sitemap_pages::robots::RobotsAnswer;
///
/// let file = RobotsFile {
///     origin: "https://example.com".to_owned(),
///     at: SystemTime::UNIX_EPOCH,
///     answer: RobotsAnswer::Status(200),
///     body: b"User-agent: *\nDisallow: /cart\n".to_vec(),
///     failure: None,
/// };
/// assert!(!file.access().agent("sitemap").is_allowed("https://example.com/cart"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotsFile {
    /// The scheme, host and port, such as `https://example.com`.
    pub origin: String,
    /// The time of the run that asked.
    pub at: SystemTime,
    /// How the request ended, after all redirects.
    pub answer: RobotsAnswer,
    /// The body: at most one byte more than [`RobotsTxt::MAX_LEN`](crate::robots::RobotsTxt::MAX_LEN). Empty if it does
    /// not count.
    pub body: Vec<u8>,
    /// The reason why there is no answer.
    pub failure: Option<Failure>,
}

impl RobotsFile {
    /// Returns what the answer means for the pages of the origin.
    pub fn access(&self) -> Access {
        Access::new(self.answer, &self.body)
    }
}

/// What a robots.txt means for the pages of its origin.
#[derive(Debug)]
pub(super) struct Ruling {
    access: Access,
    failure: Option<Failure>,
}

impl Ruling {
    pub(super) fn new(file: &RobotsFile) -> Self {
        Self { access: file.access(), failure: file.failure.clone() }
    }

    /// Returns the outcome for a page that may not be requested.
    pub(super) fn refusal(&self, product_token: &str, url: &Url) -> Option<Outcome> {
        let agent = self.access.agent(product_token);
        let verdict = agent.verdict(url.as_str());
        if verdict.is_allowed() {
            return None;
        }
        if let Some(failure) = self.failure.as_ref().filter(|failure| is_of_host(failure.kind)) {
            return Some(Outcome::Failed(failure.clone()));
        }
        Some(Outcome::Blocked(match verdict.reason() {
            Reason::Rule(rule) => Blocked::Rule { line: rule.line(), pattern: rule.pattern().into_owned() },
            Reason::Answer(RobotsAnswer::Status(status)) => {
                Blocked::Unreachable { why: format!("it answered with status {status}") }
            }
            _ => {
                let why = self.failure.as_ref().map_or("it did not answer", |failure| &failure.message);
                Blocked::Unreachable { why: why.to_owned() }
            }
        }))
    }

    /// Returns the delay that the file asks for.
    pub(super) fn delay(&self, product_token: &str) -> Option<CrawlDelay> {
        self.access.agent(product_token).crawl_delay()
    }
}

/// Returns `true` for failures that every page of the same host has too, so that robots.txt is not what stops the
/// crawler.
const fn is_of_host(kind: FailureKind) -> bool {
    use FailureKind as K;
    matches!(kind, K::Dns | K::Connect | K::Tls | K::ForbiddenAddress | K::GivenUp)
}
