//! The site that a sitemap belongs to, which determines the pages that the sitemap may list.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::loc::{Loc, LocError, LocErrorKind};
use super::special_characters::Specials;

/// The URL of the directory that contains the sitemap: scheme, host, port and path.
///
/// A sitemap may list pages with its own scheme, host and port, in or below its own directory. For example, a set at
/// `https://example.com/shop/` covers only `https://example.com/shop/…`. To list the pages of another host, see
/// [`Site::also_list`].
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
    /// The base URL, which ends with a slash.
    base: String,
    /// The positions in `base` of characters that need XML escapes.
    specials: Specials,
    /// More base URLs whose pages the sitemap may list. Each ends with a slash.
    others: Vec<String>,
}

impl Site {
    /// Creates a site from the URL of the sitemap's directory, usually the root of the host.
    ///
    /// Adds a trailing slash if the URL has none.
    ///
    /// # Errors
    ///
    /// Returns [`SiteError::Loc`] if the URL is not a valid [`Loc`], or [`SiteError::QueryOrFragment`] if it has a
    /// query or fragment.
    pub fn new(base: &str) -> Result<Self, SiteError> {
        let base = normalise_base(base)?;
        Ok(Self { specials: Specials::of(&base), base, others: Vec::new() })
    }

    /// Also allows pages under another base URL, usually on another host.
    ///
    /// Search engines accept these pages only if the other host agrees: either its robots.txt contains a `Sitemap:`
    /// line with the URL of this sitemap, or both hosts are verified in the search engine's console.
    ///
    /// ```
    /// use sitemap_core::{Loc, Site};
    ///
    /// let page = Loc::parse("https://shop.example.com/cart")?;
    /// let site = Site::new("https://www.example.com")?;
    /// assert!(!site.covers(&page));
    /// assert!(site.also_list("https://shop.example.com")?.covers(&page));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Site::new`].
    pub fn also_list(mut self, base: &str) -> Result<Self, SiteError> {
        self.others.push(normalise_base(base)?);
        Ok(self)
    }

    /// Returns the URL of the sitemap's directory, which ends with a slash.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns the positions in the base URL of characters that need XML escapes.
    #[inline]
    pub(crate) fn base_specials(&self) -> Specials {
        self.specials
    }

    /// Returns the URL of a path on this site. An absolute URL is also accepted and returned in its normal form.
    ///
    /// A path starts with a slash and is relative to the site's base, not to the root of its host. For example, an
    /// application mounted at `/shop` passes `/items/1` for its page `/shop/items/1`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Loc::parse`]. If the string is neither an absolute URL nor a path that starts with
    /// a slash, the error has the kind [`NotUrlOrPath`](LocErrorKind::NotUrlOrPath).
    pub fn resolve<'t>(&self, path_or_url: impl Into<Cow<'t, str>>) -> Result<Loc<'t>, LocError> {
        let text = path_or_url.into();
        match path_on_site(&text)? {
            Some(path) => Loc::parse(format!("{}{path}", self.base)),
            None => Loc::parse(text).map_err(LocError::or_not_url_or_path),
        }
    }

    /// Returns `true` if a sitemap of this site may list the page.
    #[must_use]
    #[inline]
    pub fn covers(&self, loc: &Loc<'_>) -> bool {
        let loc = loc.as_str();
        loc.as_bytes().starts_with(self.base.as_bytes()) || self.covers_by_other_rules(loc)
    }

    #[inline(never)]
    fn covers_by_other_rules(&self, loc: &str) -> bool {
        is_under(loc, &self.base) || self.others.iter().any(|base| is_under(loc, base))
    }

    /// Returns the URL of a file in the sitemap's directory.
    pub(crate) fn file(&self, name: &str) -> Result<Loc<'static>, LocError> {
        let loc = [&*self.base, name].concat();
        // Plain names, such as those in a set, need no check. That saves checking the base again for each of up to
        // 50,000 files.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        match name.as_bytes() {
            [first, rest @ ..]
                if is_plain(*first) && rest.iter().all(|byte| is_plain(*byte) || *byte == b'.') =>
            {
                Loc::from_parts(loc.into(), self.specials)
            }
            _ => Loc::parse(loc),
        }
    }
}

/// Returns a path that starts with a slash, without the slash. `//host/path` is not a path: it names another host.
pub(crate) fn path_on_site(text: &str) -> Result<Option<&str>, LocError> {
    if text.starts_with("//") {
        return Err(LocError::new(LocErrorKind::NotUrlOrPath, text));
    }
    Ok(text.strip_prefix('/'))
}

fn normalise_base(base: &str) -> Result<String, SiteError> {
    let loc = Loc::parse(base).map_err(SiteError::Loc)?;
    if loc.as_str().contains(['?', '#']) {
        return Err(SiteError::QueryOrFragment(base.into()));
    }
    let slash = if loc.as_str().ends_with('/') { "" } else { "/" };
    let base = format!("{loc}{slash}");
    // The base URL must leave room for a file name, because the URL of a file has the same length limit. The shortest
    // file name is `sitemap.xml`.
    if base.len() + "sitemap.xml".len() > Loc::MAX_LEN {
        return Err(SiteError::Loc(LocError::new(LocErrorKind::TooLong(base.len()), &base)));
    }
    Ok(base)
}

/// Returns `true` if a URL is under a base URL.
///
/// Both strings are in normal form, so comparing bytes compares scheme, host, port and path.
fn is_under(loc: &str, base: &str) -> bool {
    if loc.starts_with(base) {
        return true;
    }
    // The slash after the host may be missing: `https://example.com` and `https://example.com?q` are under
    // `https://example.com/`.
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

/// A string that cannot be the base URL of a site.
///
/// ```
/// use sitemap_core::Site;
/// use sitemap_core::value::SiteError;
///
/// let error = Site::new("https://example.com/?page=1").unwrap_err();
/// assert!(matches!(error, SiteError::QueryOrFragment(_)));
/// assert_eq!(
///     error.to_string(),
///     "the base URL of a site must not have a query or fragment, found \"https://example.com/?page=1\"; \
///      remove everything from `?` or `#` on"
/// );
/// assert!(matches!(Site::new("example.com").unwrap_err(), SiteError::Loc(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SiteError {
    /// The string is not a valid URL.
    Loc(LocError),
    /// The URL has a query or a fragment. Holds the whole string.
    QueryOrFragment(Box<str>),
}

impl fmt::Display for SiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loc(error) => write!(f, "invalid base URL of a site: {error}"),
            Self::QueryOrFragment(base) => write!(
                f,
                "the base URL of a site must not have a query or fragment, found {base:?}; remove everything from \
                 `?` or `#` on"
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
        // Browsers read two slashes as the start of another host.
        for path in ["/../admin", "/a/%2e%2E/../x", "/a/.", "/%2e", "//cdn.example/a.jpg", "//"] {
            assert!(site.resolve(path).is_err(), "{path}");
        }
    }

    #[test]
    fn texts_that_are_not_a_base_are_refused() {
        for base in
            ["", "/", "example.com", "ftp://example.com/", "https://example.com/?a", "https://example.com/#a"]
        {
            assert!(Site::new(base).is_err(), "{base}");
        }
        assert_eq!(
            Site::new("https://example.com/?a").unwrap_err().to_string(),
            "the base URL of a site must not have a query or fragment, found \"https://example.com/?a\"; remove \
             everything from `?` or `#` on"
        );
    }
}
