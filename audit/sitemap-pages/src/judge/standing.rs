//! Whether search engines can index a page.

use std::fmt;

/// Whether search engines can index a page, or the first reason why not.
///
/// ```
/// use sitemap_pages::judge::Standing;
///
/// assert_eq!(Standing::Noindex.to_string(), "noindex");
/// assert!(Standing::ALL.contains(&Standing::Indexable));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Standing {
    /// The page responds, allows indexing, and names no other canonical.
    Indexable,
    /// The page redirects to another URL.
    Redirected,
    /// The page does not exist: a 4xx status other than 401, 403, 407 and 429.
    Missing,
    /// There is no usable response: a 5xx status, a timeout, or another failure.
    Failing,
    /// robots.txt does not allow crawlers to fetch the page, or can't be fetched.
    Blocked,
    /// The page is marked `noindex`.
    Noindex,
    /// The page names another URL as its canonical.
    Canonicalised,
    /// The page looks like the response to a nonexistent URL.
    Soft404,
    /// The page asks for a login.
    Login,
    /// The response is neither a page nor a document, or is empty.
    NotAPage,
    /// The page was not visited, or the server refused the visit because of too many requests.
    Unknown,
}

impl Standing {
    /// All standings, in table order.
    pub const ALL: &[Self] = &[
        Self::Indexable,
        Self::Redirected,
        Self::Missing,
        Self::Failing,
        Self::Blocked,
        Self::Noindex,
        Self::Canonicalised,
        Self::Soft404,
        Self::Login,
        Self::NotAPage,
        Self::Unknown,
    ];

    /// Returns the name, such as `soft 404`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Indexable => "indexable",
            Self::Redirected => "redirected",
            Self::Missing => "missing",
            Self::Failing => "failing",
            Self::Blocked => "blocked",
            Self::Noindex => "noindex",
            Self::Canonicalised => "canonicalised",
            Self::Soft404 => "soft 404",
            Self::Login => "login",
            Self::NotAPage => "not a page",
            Self::Unknown => "not checked",
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
