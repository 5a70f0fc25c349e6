//! The verdicts of a robots.txt and the rules behind them.

use std::borrow::Cow;
use std::fmt;

use super::answer::RobotsAnswer;

/// Whether a crawler may fetch a URL, and why. Returned by [`Agent::verdict`](super::Agent::verdict).
///
/// ```
/// use sitemap_pages::robots::RobotsTxt;
///
/// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /private\n");
/// let agent = robots.agent("sitemap");
/// let verdict = agent.verdict("/private/page");
/// assert!(!verdict.is_allowed());
/// assert_eq!(verdict.rule().unwrap().line(), 2);
/// assert_eq!(verdict.to_string(), "disallowed by line 2 of robots.txt, `Disallow: /private`");
/// assert_eq!(agent.verdict("/").to_string(), "allowed, because no rule of robots.txt matches");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict<'r> {
    pub(super) is_allowed: bool,
    pub(super) reason: Reason<'r>,
}

impl<'r> Verdict<'r> {
    /// Returns `true` if the crawler may fetch the URL.
    pub const fn is_allowed(&self) -> bool {
        self.is_allowed
    }

    /// Returns the reason for the verdict.
    pub const fn reason(&self) -> Reason<'r> {
        self.reason
    }

    /// Returns the rule that decided, if any.
    pub const fn rule(&self) -> Option<Rule<'r>> {
        match self.reason {
            Reason::Rule(rule) => Some(rule),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.is_allowed { "allowed" } else { "disallowed" };
        match self.reason {
            Reason::Rule(rule) => write!(out, "{verdict} by line {} of robots.txt, `{rule}`", rule.line),
            Reason::NoRule => write!(out, "{verdict}, because no rule of robots.txt matches"),
            Reason::RobotsTxt => write!(out, "{verdict}, because crawlers may always fetch robots.txt"),
            Reason::Answer(RobotsAnswer::Status(status)) => {
                write!(out, "{verdict}, because robots.txt answered with status {status}")
            }
            Reason::Answer(RobotsAnswer::TooManyRedirects) => {
                write!(out, "{verdict}, because robots.txt answered with too many redirects")
            }
            Reason::Answer(RobotsAnswer::Failed) => {
                write!(out, "{verdict}, because robots.txt did not answer")
            }
        }
    }
}

/// The reason for a [`Verdict`].
///
/// ```
/// use sitemap_pages::robots::{Reason, RobotsTxt};
///
/// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /\n");
/// let agent = robots.agent("sitemap");
/// assert_eq!(agent.verdict("https://example.com/robots.txt").reason(), Reason::RobotsTxt);
/// assert!(matches!(agent.verdict("https://example.com/").reason(), Reason::Rule(rule) if rule.line() == 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason<'r> {
    /// The longest matching rule.
    Rule(Rule<'r>),
    /// No rule matches, so the URL is allowed.
    NoRule,
    /// The URL is the robots.txt itself, which is always allowed.
    RobotsTxt,
    /// There are no rules, because of how the server answered the request for robots.txt.
    Answer(RobotsAnswer),
}

/// An `Allow` or `Disallow` line.
///
/// `Display` writes the key in its usual spelling, followed by the pattern as written.
///
/// ```
/// use sitemap_pages::robots::RobotsTxt;
///
/// let robots = RobotsTxt::parse("User-agent: *\nDISALOW: /caf\u{e9}/*\n".as_bytes());
/// let rule = robots.agent("sitemap").verdict("/caf%C3%A9/menu").rule().unwrap();
/// assert_eq!((rule.line(), rule.is_allow(), &*rule.pattern()), (2, false, "/caf\u{e9}/*"));
/// assert_eq!(rule.to_string(), "Disallow: /caf\u{e9}/*");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule<'r> {
    pub(super) line: u32,
    pub(super) is_allow: bool,
    pub(super) written: &'r [u8],
}

impl<'r> Rule<'r> {
    /// Returns the line number, counted from 1.
    pub fn line(&self) -> u64 {
        self.line.into()
    }

    /// Returns `true` for an `Allow` line, and `false` for a `Disallow` line.
    pub const fn is_allow(&self) -> bool {
        self.is_allow
    }

    /// Returns the pattern as written in the file. Bytes that are not UTF-8 become U+FFFD.
    pub fn pattern(&self) -> Cow<'r, str> {
        String::from_utf8_lossy(self.written)
    }
}

impl fmt::Display for Rule<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = if self.is_allow { "Allow" } else { "Disallow" };
        write!(out, "{key}: {}", self.pattern())
    }
}
