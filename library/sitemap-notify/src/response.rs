//! The meaning of a search engine's response status.

use std::fmt;

/// The meaning of an HTTP status that a search engine returns for an IndexNow request.
///
/// `Display` prints a short message with a remedy. No status guarantees that a page will be crawled or indexed.
///
/// ```
/// use sitemap_notify::IndexNowResponse;
///
/// assert!(IndexNowResponse::from_status(200).is_accepted());
///
/// let busy = IndexNowResponse::from_status(429);
/// assert!(busy.is_retryable() && !busy.is_accepted());
/// assert_eq!(busy.to_string(), "status 429: too many requests; try again later");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IndexNowResponse {
    /// 200: the engine has received the URLs.
    Received,
    /// 202: the engine has received the URLs, but has not checked the key yet.
    Pending,
    /// 400: the request is malformed.
    Malformed,
    /// 403: the key file is missing or does not contain the key.
    Forbidden,
    /// 422: a URL is not on the host, or the key is malformed.
    Unprocessable,
    /// 429: too many requests.
    TooManyRequests,
    /// A status that the protocol does not define.
    Other(u16),
}

impl IndexNowResponse {
    /// Returns the meaning of an HTTP status.
    #[must_use]
    pub const fn from_status(status: u16) -> Self {
        match status {
            200 => Self::Received,
            202 => Self::Pending,
            400 => Self::Malformed,
            403 => Self::Forbidden,
            422 => Self::Unprocessable,
            429 => Self::TooManyRequests,
            _ => Self::Other(status),
        }
    }

    /// Returns `true` if the engine has received the URLs.
    #[must_use]
    pub const fn is_accepted(self) -> bool {
        matches!(self, Self::Received | Self::Pending)
    }

    /// Returns `true` if the same request may succeed later: after 429, 408 or any 5xx status.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        matches!(self, Self::TooManyRequests | Self::Other(408 | 500..=599))
    }
}

impl fmt::Display for IndexNowResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Received => f.write_str("received"),
            Self::Pending => f.write_str("received; the key is not checked yet"),
            Self::Malformed => f.write_str("status 400: the request is malformed; check the endpoint"),
            Self::Forbidden => {
                f.write_str("status 403: the key is refused; serve a file that contains exactly the key")
            }
            Self::Unprocessable => f.write_str(
                "status 422: a URL is not on the host, or the key is malformed; check the URLs and the key",
            ),
            Self::TooManyRequests => f.write_str("status 429: too many requests; try again later"),
            Self::Other(status) => write!(f, "status {status}: unexpected response; check the endpoint"),
        }
    }
}
