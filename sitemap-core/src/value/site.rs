//! The site that a sitemap speaks for, and which pages it may list.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::loc::{Loc, LocError, LocErrorKind};
use super::specials::Specials;

/// Where a sitemap is served: scheme, host, port and the directory its files lie in.
///
/// A sitemap may list the pages of its own scheme, host and port at or below its own directory, so a
/// set at `https://example.com/shop/` covers `https://example.com/shop/…` and nothing else. Listing
/// pages of other hosts takes their consent in robots.txt: see [`Site::also_list`].
///
/// Sources: [sitemaps.org, sitemap file location](https://www.sitemaps.org/protocol.html#location)
/// and [cross-submits](https://www.sitemaps.org/protocol.html#sitemaps_cross_submits).
///
/// ```
/// use sitemap_core::{Loc, Site};
///
/// let site = Site::new("https://example.com/shop")?;
/// assert_eq!(site.base(), "https://example.com/shop/");
/// assert_eq!(site.resolve("/items/1")?.as_str(), "https://example.com/shop/items/1");
///
/// assert!(site.covers(&Loc::parse("https://example.com/shop/cart")?));
/// assert!(!site.covers(&Loc::parse("https://example.com/blog/")?));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Ends with a slash.
    base: String,
    /// Where the base has to be escaped for XML.
    specials: Specials,
    /// Further bases whose pages may be listed; each ends with a slash.
    others: Vec<String>,
}

impl Site {
    /// A site by the URL of the directory its sitemap lies in, mostly its root.
    ///
    /// A missing slash at the end is added.
    ///
    /// # Errors
    ///
    /// If the URL is not a valid [`Loc`], or has a query or fragment.
    pub fn new(base: &str) -> Result<Self, SiteError> {
        let base = normalise_base(base)?;
        Ok(Self { specials: Specials::of(&base), base, others: Vec::new() })
    }

    /// Allows pages under a second base, too, usually another host.
    ///
    /// Search engines believe such entries only if that host agrees: its robots.txt has a `Sitemap:`
    /// line with this sitemap's URL, or both hosts are verified in the engine's console.
    ///
    /// # Errors
    ///
    /// As [`Site::new`].
    pub fn also_list(mut self, base: &str) -> Result<Self, SiteError> {
        self.others.push(normalise_base(base)?);
        Ok(self)
    }

    /// The URL of the sitemap's directory, with a slash at its end.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Where the base has to be escaped for XML.
    #[inline]
    pub(crate) fn base_specials(&self) -> Specials {
        self.specials
    }

    /// Makes a path into a page of this site; an absolute URL stays what it is.
    ///
    /// A path begins with a slash and counts from the site's base, not from its host's root: an
    /// application mounted at `/shop` keeps writing `/items/1`.
    ///
    /// # Errors
    ///
    /// As [`Loc::parse`].
    pub fn resolve<'t>(&self, path_or_url: impl Into<Cow<'t, str>>) -> Result<Loc<'t>, LocError> {
        let text = path_or_url.into();
        match text.strip_prefix('/') {
            Some(path) => Loc::parse(format!("{}{path}", self.base)),
            None => Loc::parse(text).map_err(LocError::or_no_path),
        }
    }

    /// Whether a sitemap of this site may list the page.
    #[must_use]
    #[inline]
    pub fn covers(&self, loc: &Loc<'_>) -> bool {
        let loc = loc.as_str();
        loc.as_bytes().starts_with(self.base.as_bytes()) || self.covers_otherwise(loc)
    }

    #[inline(never)]
    fn covers_otherwise(&self, loc: &str) -> bool {
        is_under(loc, &self.base) || self.others.iter().any(|base| is_under(loc, base))
    }

    /// The address of a file beside the sitemap.
    pub(crate) fn file(&self, name: &str) -> Result<Loc<'static>, LocError> {
        Loc::parse(format!("{}{name}", self.base))
    }
}

fn normalise_base(base: &str) -> Result<String, SiteError> {
    let loc = Loc::parse(base).map_err(SiteError::Loc)?;
    if loc.as_str().contains(['?', '#']) {
        return Err(SiteError::QueryOrFragment(base.into()));
    }
    let slash = if loc.as_str().ends_with('/') { "" } else { "/" };
    let base = format!("{loc}{slash}");
    // The shortest file name must still fit after it.
    if base.len() + "sitemap.xml".len() > Loc::MAX_LEN {
        return Err(SiteError::Loc(LocError::new(LocErrorKind::TooLong(base.len()), &base)));
    }
    Ok(base)
}

/// Both are normalised, so a comparison of bytes is one of scheme, host, port and path.
fn is_under(loc: &str, base: &str) -> bool {
    if loc.starts_with(base) {
        return true;
    }
    // `https://example.com` and `https://example.com?q` are pages of `https://example.com/`.
    let origin = &base[..base.len() - 1];
    let base_is_root = origin.ends_with(|ch| ch != '/') && origin.matches('/').count() == 2;
    base_is_root
        && loc.strip_prefix(origin).is_some_and(|rest| rest.is_empty() || rest.starts_with(['?', '#']))
}

impl FromStr for Site {
    type Err = SiteError;

    /// Same as [`Site::new`].
    fn from_str(base: &str) -> Result<Self, SiteError> {
        Self::new(base)
    }
}

/// A text that is not a site's base URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SiteError {
    /// It is not a page's address.
    Loc(LocError),
    /// It has a query or a fragment; holds the whole text.
    QueryOrFragment(Box<str>),
}

impl fmt::Display for SiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loc(error) => write!(f, "not a site's base URL: {error}"),
            Self::QueryOrFragment(base) => write!(
                f,
                "a site's base URL has neither query nor fragment; remove all from `?` or `#` on, found {base:?}"
            ),
        }
    }
}

impl std::error::Error for SiteError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(base: &str, loc: &str) -> bool {
        Site::new(base).unwrap().covers(&Loc::parse(loc).unwrap())
    }

    #[test]
    fn the_protocols_own_example_of_location() {
        let catalog = "http://example.com/catalog/";
        assert!(covers(catalog, "http://example.com/catalog/show?item=23"));
        assert!(covers(catalog, "http://example.com/catalog/show?item=233&user=3453"));
        assert!(!covers(catalog, "http://example.com/image/show?item=23"));
        assert!(!covers(catalog, "http://example.com/image/show?item=233&user=3453"));
        assert!(!covers(catalog, "https://example.com/catalog/page1.html"));
        assert!(!covers(catalog, "http://example.com/catalogue/"));
    }

    #[test]
    fn scheme_host_and_port_must_be_the_same() {
        assert!(!covers("https://example.com", "http://example.com/"));
        assert!(!covers("https://example.com", "https://www.example.com/"));
        assert!(!covers("https://example.com", "https://example.com.evil.example/"));
        assert!(!covers("https://example.com:8443", "https://example.com/"));
        assert!(!covers("https://example.com", "https://example.com:8443/"));
        assert!(covers("https://example.com:8443", "https://example.com:8443/a"));
    }

    #[test]
    fn host_compares_without_case_and_with_its_default_port_and_the_path_with_case() {
        assert!(covers("HTTPS://EXAMPLE.com:443/A", "https://Example.COM/A/b"));
        assert!(!covers("https://example.com/A", "https://example.com/a/b"));
        #[cfg(feature = "url")]
        assert!(covers("https://bücher.example", "https://xn--bcher-kva.example/1"));
    }

    #[test]
    fn a_url_without_a_path_is_the_root() {
        assert!(covers("https://example.com", "https://example.com"));
        assert!(covers("https://example.com", "https://example.com?page=2"));
        assert!(!covers("https://example.com/shop", "https://example.com"));
        assert!(!covers("https://example.com/shop", "https://example.com/shop"));
    }

    #[test]
    fn a_second_base_is_covered_only_when_asked_for() {
        let b = Loc::parse("https://b.example/x").unwrap();
        let site = Site::new("https://a.example").unwrap();
        assert!(!site.covers(&b));
        assert!(site.also_list("https://b.example").unwrap().covers(&b));
    }

    #[test]
    fn rooted_paths_count_from_the_base() {
        let site = Site::new("https://example.com/shop").unwrap();
        for (path, url) in [
            ("/", "https://example.com/shop/"),
            ("/items/1?q=ü", "https://example.com/shop/items/1?q=%C3%BC"),
            ("https://example.com/a", "https://example.com/a"),
        ] {
            assert_eq!(site.resolve(path).unwrap().as_str(), url);
        }
        assert!(site.resolve("items/1").is_err());
        assert!(site.resolve("").is_err());
    }

    #[test]
    fn a_path_cannot_leave_its_site() {
        let site = Site::new("https://example.com/shop").unwrap();
        for path in ["/../admin", "/a/%2e%2E/../x", "/a/.", "/%2e"] {
            assert!(site.resolve(path).is_err(), "{path}");
        }
        // Two slashes begin a path segment here, not another host.
        assert_eq!(
            site.resolve("//evil.example/").unwrap().as_str(),
            "https://example.com/shop//evil.example/"
        );
    }

    #[test]
    fn what_is_no_base() {
        for base in
            ["", "/", "example.com", "ftp://example.com/", "https://example.com/?a", "https://example.com/#a"]
        {
            assert!(Site::new(base).is_err(), "{base}");
        }
        assert_eq!(
            Site::new("https://example.com/?a").unwrap_err().to_string(),
            "a site's base URL has neither query nor fragment; remove all from `?` or `#` on, found \"https://example.com/?a\""
        );
    }
}
