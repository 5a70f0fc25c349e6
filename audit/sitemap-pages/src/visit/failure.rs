//! Why a request got no usable response.

use std::fmt;

use super::shown::Shown;

/// Why a request got no usable response.
///
/// ```
/// use sitemap_pages::visit::{Failure, FailureKind};
///
/// let failure = Failure::new(FailureKind::Connect, "connection refused");
/// assert_eq!(failure.to_string(), "connection refused");
/// assert!(failure.kind.is_transient() && !FailureKind::RedirectLoop.is_transient());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Failure {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// A one-line message for people.
    pub message: String,
}

impl Failure {
    /// Creates a failure.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown(&self.message).fmt(f)
    }
}

/// The kind of a [`Failure`].
///
/// ```
/// use sitemap_pages::visit::FailureKind;
///
/// assert_eq!(FailureKind::RedirectLoop.as_str(), "redirect-loop");
/// assert_eq!(FailureKind::ALL.len(), 14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FailureKind {
    /// The host name did not resolve.
    Dns,
    /// The connection could not be made.
    Connect,
    /// The server's certificate was not accepted, or the handshake failed.
    Tls,
    /// A time limit was reached.
    Timeout,
    /// The connection was closed before the response was complete.
    Interrupted,
    /// The response is not valid HTTP.
    Protocol,
    /// The body isn't encoded as `Content-Encoding` claims.
    Encoding,
    /// A redirect goes back to a URL that was already requested.
    RedirectLoop,
    /// More redirects than the limit allows.
    TooManyRedirects,
    /// A redirect has no `Location`, or one that isn't an http or https URL.
    InvalidRedirect,
    /// Requests may not go to this IP address.
    ForbiddenAddress,
    /// The URL is not an http or https URL.
    InvalidUrl,
    /// The host asked for too long a pause or left many requests unanswered, so no more requests were sent to it.
    GivenUp,
    /// The pages are read from a folder, and it contains no file for this page.
    NoFile,
}

impl FailureKind {
    /// All kinds.
    pub const ALL: &[Self] = &[
        Self::Dns,
        Self::Connect,
        Self::Tls,
        Self::Timeout,
        Self::Interrupted,
        Self::Protocol,
        Self::Encoding,
        Self::RedirectLoop,
        Self::TooManyRedirects,
        Self::InvalidRedirect,
        Self::ForbiddenAddress,
        Self::InvalidUrl,
        Self::GivenUp,
        Self::NoFile,
    ];

    /// Returns the name, such as `redirect-loop`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::Interrupted => "interrupted",
            Self::Protocol => "protocol",
            Self::Encoding => "encoding",
            Self::RedirectLoop => "redirect-loop",
            Self::TooManyRedirects => "too-many-redirects",
            Self::InvalidRedirect => "invalid-redirect",
            Self::ForbiddenAddress => "forbidden-address",
            Self::InvalidUrl => "invalid-url",
            Self::GivenUp => "given-up",
            Self::NoFile => "no-file",
        }
    }

    /// Returns `true` if another attempt may succeed.
    pub const fn is_transient(self) -> bool {
        matches!(
            self,
            Self::Dns | Self::Connect | Self::Timeout | Self::Interrupted | Self::Protocol | Self::GivenUp
        )
    }
}
