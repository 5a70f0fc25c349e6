//! The result of requesting a robots.txt.

/// The result of requesting a robots.txt, after all redirects.
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
    /// A response with this status, other than a redirect that was followed.
    Status(u16),
    /// More than [`Access::MAX_REDIRECTS`](super::Access::MAX_REDIRECTS) redirects in a row, or a redirect loop.
    TooManyRedirects,
    /// No response: the host was not found, the connection failed or timed out, or a redirect went somewhere the
    /// crawler may not go.
    Failed,
}
