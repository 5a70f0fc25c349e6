//! How a page responded, as a single value.

use super::evidence::PageRecord;
use crate::visit::{Blocked, FailureKind, Outcome};

/// How a page responded to the last request.
///
/// ```
/// use sitemap_pages::judge::Answer;
///
/// assert_eq!(Answer::default(), Answer::Unvisited);
/// assert_eq!(Answer::Redirect(301).to_string(), "301 redirect");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Answer {
    /// The page itself responded with this status.
    Status(u16),
    /// The page redirects to a page that responded. The status is that of the first redirect.
    Redirect(u16),
    /// The page redirects, but never reaches a page.
    RedirectNowhere,
    /// A rule of robots.txt disallows the page.
    Blocked,
    /// robots.txt could not be fetched, so the page was not requested.
    RobotsUnreachable,
    /// The host asks for a long pause, so the page was not requested.
    GivenUp,
    /// The pages are read from a folder, and it contains no file for this page.
    NoFile,
    /// There is no usable response, for example because of a timeout.
    Failed,
    /// The page was not requested.
    #[default]
    Unvisited,
}

impl Answer {
    /// Returns how the page responded, according to its record.
    ///
    /// ```
    /// use std::time::UNIX_EPOCH;
    /// use sitemap_pages::judge::{Answer, PageRecord};
    /// use sitemap_pages::visit::{Blocked, Outcome, Visit};
    ///
    /// let outcome = Outcome::Blocked(Blocked::Rule { line: 2, pattern: "/cart".to_owned() });
    /// let visit = Visit::new("https://example.com/cart".to_owned(), UNIX_EPOCH, outcome);
    /// assert_eq!(Answer::of(&PageRecord::new(visit)), Answer::Blocked);
    /// ```
    pub fn of(record: &PageRecord) -> Self {
        let visit = &record.visit;
        match &visit.outcome {
            Outcome::Blocked(Blocked::Rule { .. }) => Self::Blocked,
            Outcome::Blocked(Blocked::Unreachable { .. }) => Self::RobotsUnreachable,
            Outcome::Failed(failure) => match failure.kind {
                FailureKind::RedirectLoop | FailureKind::TooManyRedirects | FailureKind::InvalidRedirect => {
                    Self::RedirectNowhere
                }
                FailureKind::GivenUp => Self::GivenUp,
                FailureKind::NoFile => Self::NoFile,
                _ => Self::Failed,
            },
            Outcome::Page { .. } | Outcome::NotModified(_) => match (visit.hops.first(), record.facts()) {
                // A page that redirects to itself, for example to set a cookie, eventually responds.
                (Some(hop), _) if visit.last_url() != visit.url => Self::Redirect(hop.status),
                (_, Some(facts)) => Self::Status(facts.status),
                (_, None) => Self::Failed,
            },
        }
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Status(status) => write!(f, "{status}"),
            Self::Redirect(status) => write!(f, "{status} redirect"),
            Self::RedirectNowhere => f.write_str("redirects without a page"),
            Self::Blocked => f.write_str("blocked by robots.txt"),
            Self::RobotsUnreachable => f.write_str("robots.txt cannot be fetched"),
            Self::GivenUp => f.write_str("the host asks to wait"),
            Self::NoFile => f.write_str("no file"),
            Self::Failed => f.write_str("no answer"),
            Self::Unvisited => f.write_str("not requested"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::Answer;
    use crate::judge::evidence::PageRecord;
    use crate::visit::{Failure, FailureKind, Hop, Outcome, Visit};

    #[test]
    fn failures_of_redirects_are_told_from_missing_answers() {
        for (kind, answer) in [
            (FailureKind::RedirectLoop, Answer::RedirectNowhere),
            (FailureKind::TooManyRedirects, Answer::RedirectNowhere),
            (FailureKind::InvalidRedirect, Answer::RedirectNowhere),
            (FailureKind::GivenUp, Answer::GivenUp),
            (FailureKind::NoFile, Answer::NoFile),
            (FailureKind::Timeout, Answer::Failed),
        ] {
            let (url, outcome) = ("https://a.test/".to_owned(), Outcome::Failed(Failure::new(kind, "why")));
            let hops =
                vec![Hop { url: url.clone(), status: 302, location: Some("https://a.test/b".to_owned()) }];
            let record = PageRecord::new(Visit { url, at: UNIX_EPOCH, hops, outcome });
            assert_eq!(Answer::of(&record), answer, "{kind:?}");
        }
    }
}
