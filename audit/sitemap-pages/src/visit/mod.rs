//! One attempt to fetch a page: its redirects, and either the page's facts or the reason why there are none.
//!
//! A client reports [`Visit`]s, a state file stores them, and a judgement is based on them. These types don't depend on
//! any client or storage.

mod failure;
mod hop;
mod shown;
mod update;

pub use failure::{Failure, FailureKind};
pub use hop::Hop;
pub use update::HeaderUpdate;

use std::time::SystemTime;

use self::shown::Shown;
use crate::facts::PageFacts;

/// One attempt to fetch a URL, including all redirects.
///
/// ```
/// use std::time::SystemTime;
/// use sitemap_pages::visit::{Failure, FailureKind, Hop, Outcome, Visit};
///
/// let (first, second) = ("http://example.com/oak".to_owned(), "https://example.com/oak".to_owned());
/// let failure = Failure::new(FailureKind::Timeout, "no answer within 30 s");
/// let mut visit = Visit::new(first.clone(), SystemTime::UNIX_EPOCH, Outcome::Failed(failure));
/// visit.hops.push(Hop::new(first, 301, Some(second)));
/// assert_eq!(visit.last_url(), "https://example.com/oak");
/// assert_eq!(visit.status(), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Visit {
    /// The URL that was requested first.
    pub url: String,
    /// The time of the request.
    #[cfg_attr(feature = "state", serde(with = "crate::stamp"))]
    pub at: SystemTime,
    /// The redirects that were followed, in order.
    pub hops: Vec<Hop>,
    /// The result of the last request.
    pub outcome: Outcome,
}

impl Visit {
    /// Creates a visit without redirects.
    pub fn new(url: String, at: SystemTime, outcome: Outcome) -> Self {
        Self { url, at, hops: Vec::new(), outcome }
    }

    /// Returns the URL of the last request: the target of the last redirect, or the first URL.
    pub fn last_url(&self) -> &str {
        self.hops.iter().rev().find_map(|hop| hop.location.as_deref()).unwrap_or(&self.url)
    }

    /// Returns the status of the last response: 304 if the page was not modified, or `None` if there was no response.
    pub fn status(&self) -> Option<u16> {
        match &self.outcome {
            Outcome::Page { facts, .. } => Some(facts.status),
            Outcome::NotModified(_) => Some(304),
            Outcome::Blocked(_) | Outcome::Failed(_) => None,
        }
    }
}

/// The result of the last request of a [`Visit`].
///
/// ```
/// use sitemap_pages::visit::{Blocked, Outcome};
///
/// let outcome = Outcome::Blocked(Blocked::Rule { line: 2, pattern: "/cart".to_owned() });
/// assert!(!outcome.is_answer());
/// assert!(Outcome::NotModified(Box::default()).is_answer());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Outcome {
    /// The server sent a response with any status that isn't a redirect.
    Page {
        /// The facts of the response.
        facts: Box<PageFacts>,
        /// The values that a later conditional request can send.
        validators: Validators,
    },
    /// The server answered a conditional request with 304. The facts of the previous visit still hold, except where the
    /// headers of the 304 change them.
    NotModified(Box<HeaderUpdate>),
    /// robots.txt does not allow the request.
    Blocked(Blocked),
    /// There is no usable response.
    Failed(Failure),
}

impl Outcome {
    /// Returns `true` if the server answered the last request.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Page { .. } | Self::NotModified(_))
    }
}

/// The response headers that make a later request conditional (RFC 9110, section 8.8).
///
/// ```
/// use sitemap_pages::visit::Validators;
///
/// let validators = Validators::new(Some("\"a1\"".to_owned()), None);
/// assert!(!validators.is_empty());
/// assert!(Validators::default().is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Validators {
    /// The `ETag` header as sent.
    pub etag: Option<String>,
    /// The `Last-Modified` header as sent.
    pub last_modified: Option<String>,
}

impl Validators {
    /// Creates validators from the `ETag` and `Last-Modified` headers.
    pub fn new(etag: Option<String>, last_modified: Option<String>) -> Self {
        Self { etag, last_modified }
    }

    /// Returns `true` if there are no validators, so that no conditional request is possible.
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// Why robots.txt does not allow a request.
///
/// ```
/// use sitemap_pages::visit::Blocked;
///
/// let blocked = Blocked::Rule { line: 2, pattern: "/cart".to_owned() };
/// assert_eq!(blocked.to_string(), "line 2 of robots.txt disallows `/cart`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Blocked {
    /// A rule matches the URL.
    Rule {
        /// The rule's line number, counted from 1.
        line: u64,
        /// The rule's pattern.
        pattern: String,
    },
    /// robots.txt could not be fetched, so nothing may be requested (RFC 9309, section 2.3.1.4).
    Unreachable {
        /// The reason.
        why: String,
    },
}

impl std::fmt::Display for Blocked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rule { line, pattern } => {
                write!(f, "line {line} of robots.txt disallows `{}`", Shown(pattern))
            }
            Self::Unreachable { why } => {
                write!(f, "robots.txt cannot be fetched, so no page may be fetched: {}", Shown(why))
            }
        }
    }
}
