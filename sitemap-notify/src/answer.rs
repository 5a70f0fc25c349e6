//! What engines answer.

use std::fmt;

/// What the status of an answer to an IndexNow request means. Shown as a sentence with what to do.
///
/// No answer says that a page will be crawled or indexed.
///
/// ```
/// use sitemap_notify::IndexNowAnswer;
///
/// let answer = IndexNowAnswer::from_status(429);
/// assert!(answer.is_temporary() && !answer.is_accepted());
/// assert_eq!(IndexNowAnswer::from_status(200).to_string(), "received");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IndexNowAnswer {
    /// 200: received.
    Received,
    /// 202: received, the key is yet to be looked at.
    Pending,
    /// 400: the request is not understood.
    Malformed,
    /// 403: the key's file is missing, or has another content.
    KeyRefused,
    /// 422: a URL is not of the host, or the key is not as keys are.
    Unprocessable,
    /// 429: too many requests.
    TooMany,
    /// A status that the protocol does not name.
    Other(u16),
}

impl IndexNowAnswer {
    /// By the status of an HTTP answer.
    #[must_use]
    pub const fn from_status(status: u16) -> Self {
        match status {
            200 => Self::Received,
            202 => Self::Pending,
            400 => Self::Malformed,
            403 => Self::KeyRefused,
            422 => Self::Unprocessable,
            429 => Self::TooMany,
            _ => Self::Other(status),
        }
    }

    /// Whether the engine has taken the URLs.
    #[must_use]
    pub const fn is_accepted(self) -> bool {
        matches!(self, Self::Received | Self::Pending)
    }

    /// Whether the same request may be accepted later: after too many requests, and on errors of the server.
    #[must_use]
    pub const fn is_temporary(self) -> bool {
        matches!(self, Self::TooMany | Self::Other(408 | 500..=599))
    }
}

impl fmt::Display for IndexNowAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Received => f.write_str("received"),
            Self::Pending => f.write_str("received, the key is yet to be checked"),
            Self::Malformed => f.write_str("the request was not understood; check the endpoint, status 400"),
            Self::KeyRefused => f.write_str(
                "the key was refused; serve a file with exactly the key as its content, status 403",
            ),
            Self::Unprocessable => f.write_str(
                "the URLs do not belong to the host or the key is malformed; check both, status 422",
            ),
            Self::TooMany => f.write_str("too many requests; try again later, status 429"),
            Self::Other(status) => write!(f, "unexpected answer; check the endpoint, status {status}"),
        }
    }
}
