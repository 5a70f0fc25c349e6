//! Whether a page can be indexed.

use std::fmt;

/// Whether a search engine can index a page, or the first reason why not.
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
    /// The page answers, allows its indexing, and names no other canonical.
    Indexable,
    /// The page redirects to another URL.
    Redirected,
    /// The page does not exist: a status from 400 to 499, except 401, 403, 407 and 429.
    Missing,
    /// The page has no usable answer: a status from 500 on, a timeout, or another failure.
    Failing,
    /// robots.txt does not allow crawlers to fetch the page, or cannot be fetched.
    Blocked,
    /// The page has `noindex`.
    Noindex,
    /// The page names another URL as its canonical.
    Canonicalised,
    /// The page looks like the answer to a URL that does not exist.
    Soft404,
    /// The page asks for a login.
    Login,
    /// The answer is neither a page nor a document, or is empty.
    NotAPage,
    /// The page was not visited, or the server refused the visit because of too many requests.
    Unknown,
}

impl Standing {
    /// All standings, in the order of a table.
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
