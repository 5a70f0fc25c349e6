//! How a request for a robots.txt ended.

/// How the request for a robots.txt ended, after all redirects.
///
/// ```
/// use sitemap_pages::robots::{Access, RobotsAnswer};
///
/// assert!(Access::new(RobotsAnswer::Status(404), b"").agent("sitemap").is_allowed("/page"));
/// assert!(!Access::new(RobotsAnswer::Status(503), b"").agent("sitemap").is_allowed("/page"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RobotsAnswer {
    /// A response with this status, which is not a redirect that was followed.
    Status(u16),
    /// More than [`Access::MAX_REDIRECTS`](super::Access::MAX_REDIRECTS) redirects in a row, or a redirect in a circle.
    TooManyRedirects,
    /// No response: the host was not found, the connection failed or timed out, or a redirect led to where the crawler
    /// does not go.
    Failed,
}
