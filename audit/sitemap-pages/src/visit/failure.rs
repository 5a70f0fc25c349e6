//! The reasons why a request has no usable answer.

use std::fmt;

use super::shown::Shown;

/// The reason why a request has no usable answer.
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
    /// One line for people.
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
    /// The host name has no address.
    Dns,
    /// No connection was made.
    Connect,
    /// The server's certificate was not accepted, or the handshake failed.
    Tls,
    /// A limit on time was reached.
    Timeout,
    /// The connection ended before the response did.
    Interrupted,
    /// The response is not HTTP.
    Protocol,
    /// The body does not have the encoding that `Content-Encoding` names.
    Encoding,
    /// A redirect leads back to a URL that was already requested.
    RedirectLoop,
    /// There are more redirects than the limit.
    TooManyRedirects,
    /// A redirect has no `Location`, or one that is not an http or https URL.
    InvalidRedirect,
    /// The IP address is one that requests may not go to.
    ForbiddenAddress,
    /// The URL is not an http or https URL.
    InvalidUrl,
    /// The host asks for a longer pause than the limit, or left many requests without an answer, so no more requests were
    /// sent to it.
    GivenUp,
    /// The folder that is read instead of a server has no file for the page.
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
