//! The redirects of a visit.

/// A redirect sent by a server.
///
/// ```
/// use sitemap_pages::visit::Hop;
///
/// let mut hop = Hop::new("https://example.com/a".to_owned(), 308, None);
/// assert!(hop.is_permanent());
/// hop.status = 302;
/// assert!(!hop.is_permanent());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Hop {
    /// The URL that was requested.
    pub url: String,
    /// The status: 301, 302, 303, 307 or 308.
    pub status: u16,
    /// The absolute URL in the `Location` header, or `None` if the header is missing or isn't a URL.
    pub location: Option<String>,
}

impl Hop {
    /// Creates a redirect.
    pub fn new(url: String, status: u16, location: Option<String>) -> Self {
        Self { url, status, location }
    }

    /// Returns `true` for statuses 301 and 308. Search engines treat these as a strong signal that the target replaces
    /// the URL.
    ///
    /// Source: Google Search Central, "Redirects and Google Search".
    pub fn is_permanent(&self) -> bool {
        matches!(self.status, 301 | 308)
    }
}
