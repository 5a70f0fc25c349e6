//! An origin's robots.txt: what the server answered, and what that means for pages.

use std::time::{Duration, SystemTime};

use sitemap_pages::robots::{Access, CrawlDelay, Reason, RobotsAnswer};
use sitemap_pages::visit::{Blocked, Failure, FailureKind, Outcome};
use url::Url;

/// The result of requesting an origin's robots.txt.
///
/// A run requests each origin's robots.txt once a day. To reuse an answer in a later run, store what
/// [`Work::store_robots`](crate::Work::store_robots) receives, and return it from
/// [`Work::robots`](crate::Work::robots). Answers are used for 24 hours; answers dated in the future are ignored. If
/// the file can't be reached after 24 hours, the run keeps using the earlier answer and tries again after an hour.
///
/// Source: RFC 9309, section 2.4.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use sitemap_fetch::RobotsFile;
/// use sitemap_pages::robots::RobotsAnswer;
///
/// let body = b"User-agent: *\nDisallow: /cart\n".to_vec();
/// let file =
///     RobotsFile::new("https://example.com".to_owned(), SystemTime::UNIX_EPOCH, RobotsAnswer::Status(200), body);
/// assert!(!file.access().agent("sitemap").is_allowed("https://example.com/cart"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RobotsFile {
    /// The scheme, host and port, such as `https://example.com`.
    pub origin: String,
    /// When the answer was received.
    pub at: SystemTime,
    /// The result of the request, after all redirects.
    pub answer: RobotsAnswer,
    /// The body: at most one byte more than [`RobotsTxt::MAX_LEN`](sitemap_pages::robots::RobotsTxt::MAX_LEN). Empty if
    /// the body has no effect.
    pub body: Vec<u8>,
    /// Why there is no answer.
    pub failure: Option<Failure>,
}

impl RobotsFile {
    /// Creates an answer.
    pub fn new(origin: String, at: SystemTime, answer: RobotsAnswer, body: Vec<u8>) -> Self {
        Self { origin, at, answer, body, failure: None }
    }

    /// Returns what the answer means for the origin's pages.
    pub fn access(&self) -> Access {
        Access::new(self.answer, &self.body)
    }
}

/// How long an answer is used (RFC 9309, section 2.4).
pub(crate) const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// How long an expired answer stays in use if the file can't be reached.
pub(crate) const EXTENSION: Duration = Duration::from_secs(60 * 60);

/// The rules of a robots.txt for its origin's pages.
#[derive(Clone, Debug)]
pub(crate) struct Ruling {
    access: Access,
    failure: Option<Failure>,
    /// When the rules expire, relative to the start of the run.
    until: Duration,
    /// Whether the rules have been applied to a page. They don't expire before that. Otherwise, a run with a delay of
    /// more than a day would request nothing but robots.txt.
    is_used: bool,
}

impl Ruling {
    pub(crate) fn new(file: &RobotsFile, until: Duration) -> Self {
        Self { access: file.access(), failure: file.failure.clone(), until, is_used: false }
    }

    /// Returns the same rules with another expiry time.
    pub(crate) fn until(&self, until: Duration) -> Self {
        Self { until, is_used: false, ..self.clone() }
    }

    /// Returns whether the contents of the file are known.
    pub(crate) fn was_reached(&self) -> bool {
        !matches!(self.access, Access::Nothing(_))
    }

    /// Returns whether the answer is too old to be used for another page.
    pub(crate) fn is_over(&self, passed: Duration) -> bool {
        self.is_used && self.until <= passed
    }

    /// Records that a page was requested.
    pub(crate) fn mark_used(&mut self) {
        self.is_used = true;
    }

    /// Returns the outcome for a page that may not be requested.
    pub(crate) fn refusal(&mut self, product_token: &str, url: &Url) -> Option<Outcome> {
        let agent = self.access.agent(product_token);
        let verdict = agent.verdict(url.as_str());
        if verdict.is_allowed() {
            return None;
        }
        self.is_used = true;
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
    pub(crate) fn delay(&self, product_token: &str) -> Option<CrawlDelay> {
        self.access.agent(product_token).crawl_delay()
    }
}

/// Returns `true` for failures that would affect every page of the host too. In that case, robots.txt isn't what stops
/// the crawler.
const fn is_of_host(kind: FailureKind) -> bool {
    use FailureKind as K;
    matches!(kind, K::Dns | K::Connect | K::Tls | K::ForbiddenAddress | K::GivenUp)
}
