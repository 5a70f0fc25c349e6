//! `loc`: the URL of a page.

mod constant;
mod error;
mod host;
mod normal;
mod punycode;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

pub use error::{LocError, LocErrorKind};
pub(crate) use normal::{is_dot_segment, push_percent};
pub use punycode::is_punycode;

use super::special_characters::Specials;
use host::is_private_host;
use normal::{is_plain_rest, is_plain_without_ampersand, normalise, normalise_rest};

/// The URL of a page: an absolute `http` or `https` URL of at most 2,047 ASCII characters.
///
/// Parsing normalises the URL:
///
/// - Existing percent escapes stay as they are, including those that are not UTF-8 (`%FC`).
/// - Characters that RFC 3986 does not allow in a path or query are percent-encoded as UTF-8, with
///   upper-case digits: `ü` becomes `%C3%BC`, a space becomes `%20`, and a `%` that does not start an escape
///   becomes `%25`.
/// - The scheme and host become lower case, and the scheme's default port is removed. With the feature `url`, a
///   non-ASCII host name becomes its `xn--` form, and a short IPv4 address such as `127.1` is expanded to four numbers.
///   Without the feature, such hosts are errors.
/// - Everything else stays as it is, including a trailing slash and a fragment, which crawlers ignore.
///
/// Sources: [sitemaps.org, `loc`](https://www.sitemaps.org/protocol.html#locdef) and
/// [entity escaping](https://www.sitemaps.org/protocol.html#escaping), RFC 3986, RFC 3987.
///
/// ```
/// use sitemap_core::Loc;
///
/// let loc = Loc::parse("http://www.example.com/ümlat.html&q=name")?;
/// assert_eq!(loc.as_str(), "http://www.example.com/%C3%BCmlat.html&q=name");
///
/// let error = Loc::parse("/about").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`loc` must be an absolute URL, found \"/about\"; start it with `https://` or `http://`"
/// );
/// # Ok::<(), sitemap_core::value::LocError>(())
/// ```
#[derive(Clone)]
pub struct Loc<'a> {
    text: Cow<'a, str>,
    /// The positions of characters that need XML escapes, if they are known. Comparisons ignore this field.
    specials: Specials,
}

impl<'a> Loc<'a> {
    /// The maximum length of a `loc`: the protocol says "less than 2,048 characters".
    pub const MAX_LEN: usize = error::MAX_LEN;

    /// The empty URL, for an entry whose URL has not been read yet. It is also the fallback in getters of required
    /// URLs, which avoids a panic, although a required URL is never missing.
    pub(crate) const NONE: &'static Loc<'static> =
        &Loc { text: Cow::Borrowed(""), specials: Specials::UNKNOWN };

    /// Creates a URL in a constant.
    ///
    /// ```
    /// use sitemap_core::Loc;
    ///
    /// const HOME: Loc<'static> = Loc::from_static("https://example.com/");
    /// assert_eq!(HOME, "https://example.com/");
    /// ```
    ///
    /// ```compile_fail
    /// # use sitemap_core::Loc;
    /// const ABOUT: Loc<'static> = Loc::from_static("/about");
    /// # println!("{ABOUT}");
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the string is not a URL in normal form. In a `const`, the panic is a compile error. Use [`Loc::parse`]
    /// for URLs that need encoding. This function also panics for URLs that only [`Loc::parse`] can check:
    ///
    /// - URLs with an IP address as the host, or with a host name that contains an `xn--` label, ends with a dot, or
    ///   has a last label that starts with a digit;
    /// - URLs with port 0;
    /// - URLs with a path segment that starts with `.` or `%`.
    #[must_use]
    pub const fn from_static(url: &'static str) -> Loc<'static> {
        assert!(
            constant::is_normal(url),
            "this constant is not a URL in its normal form, or is one that only `Loc::parse` can check; use `Loc::parse`"
        );
        Loc { text: Cow::Borrowed(url), specials: Specials::UNKNOWN }
    }

    /// Checks and normalises an absolute URL. Borrows the string if it is already in normal form.
    ///
    /// # Errors
    ///
    /// Returns a [`LocError`] if the string
    ///
    /// - is empty, relative or surrounded by white space;
    /// - has a scheme other than `http` and `https`, no valid host, or a port above 65535;
    /// - contains a user name or password, control characters, or `.` or `..` segments;
    /// - is longer than 2,047 characters after encoding.
    pub fn parse(text: impl Into<Cow<'a, str>>) -> Result<Self, LocError> {
        let text = text.into();
        let text = match Self::normalised(&text)? {
            None => text,
            Some(changed) => changed.into(),
        };
        Ok(Self { text, specials: Specials::UNKNOWN })
    }

    /// Returns the normal form of a URL, or `None` if the string is already in that form.
    pub(crate) fn normalised(text: &str) -> Result<Option<String>, LocError> {
        normalise(text).map_err(|kind| LocError::new(kind, text))
    }

    /// Like [`Loc::normalised`], but faster for many URLs of the same site.
    pub(crate) fn normalised_like(text: &str, known: &mut KnownOrigin) -> Result<Option<String>, LocError> {
        if let Some(rest) = known.rest_of(text)
            && text.len() <= Self::MAX_LEN
            && !rest.ends_with(char::is_whitespace)
            && let Ok(None) = normalise_rest(rest)
        {
            return Ok(None);
        }
        let normal = Self::normalised(text)?;
        if normal.is_none() {
            known.remember(text);
        }
        Ok(normal)
    }

    /// Returns `true` if a quick check shows that a URL has the known origin and is in its normal form. `false` means
    /// that the URL needs a full check: it may still be in its normal form.
    #[inline]
    pub(crate) fn is_normal_like(text: &[u8], known: &KnownOrigin) -> bool {
        text.len() <= Self::MAX_LEN && known.rest_of_bytes(text).is_some_and(is_plain_rest)
    }

    /// Like [`is_normal_like`](Self::is_normal_like), but returns `false` if the URL contains a `&`.
    #[inline]
    pub(crate) fn is_plain_like(text: &[u8], known: &KnownOrigin) -> bool {
        text.len() <= Self::MAX_LEN && known.rest_of_bytes(text).is_some_and(is_plain_without_ampersand)
    }

    /// Wraps a URL that is known to be in its normal form.
    #[inline]
    pub(crate) fn trusted(text: Cow<'a, str>) -> Self {
        Self { text, specials: Specials::UNKNOWN }
    }

    /// Checks the total length of a URL whose parts have already been checked, and wraps the URL.
    #[inline]
    pub(crate) fn from_parts(text: Cow<'a, str>, specials: Specials) -> Result<Self, LocError> {
        if text.len() > Self::MAX_LEN {
            return Err(too_long(&text));
        }
        Ok(Self { text, specials })
    }

    /// Returns the positions of the characters that must be escaped in XML.
    #[inline]
    pub(crate) fn specials(&self) -> &Specials {
        &self.specials
    }

    /// Returns `true` if the public internet cannot reach the URL's host: an address of a private network, `localhost`,
    /// a name without a dot, or a name under `.local`, `.internal`, `.lan` or `.home.arpa`.
    ///
    /// ```
    /// use sitemap_core::Loc;
    ///
    /// assert!(Loc::parse("http://localhost:8080/")?.has_private_host());
    /// assert!(Loc::parse("http://192.168.0.7/")?.has_private_host());
    /// assert!(!Loc::parse("https://example.com/")?.has_private_host());
    /// # Ok::<(), sitemap_core::value::LocError>(())
    /// ```
    #[must_use]
    pub fn has_private_host(&self) -> bool {
        let rest = self.as_str().split_once("://").map_or("", |(_, rest)| rest);
        let origin = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let port = origin.rfind(':').filter(|at| !origin[*at..].contains(']'));
        is_private_host(&origin[..port.unwrap_or(origin.len())])
    }

    /// Returns the URL as an ASCII string, not escaped for XML.
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Copies a borrowed URL, so that the result owns its string.
    #[must_use]
    pub fn into_owned(self) -> Loc<'static> {
        Loc { text: self.text.into_owned().into(), specials: self.specials }
    }
}

/// The origin (scheme, host and port) of the last checked URL in normal form.
///
/// The next URL usually has the same origin, so only the rest of it has to be checked.
///
/// ```
/// use sitemap_core::reading::{KnownOrigin, is_normal_like, normalised_like};
///
/// let mut origin = KnownOrigin::default();
/// assert_eq!(normalised_like("https://example.com/a", &mut origin)?, None);
/// assert!(is_normal_like(b"https://example.com/b", &origin));
/// assert!(!is_normal_like(b"https://example.org/b", &origin));
/// # Ok::<(), sitemap_core::value::LocError>(())
/// ```
#[derive(Debug, Default)]
pub struct KnownOrigin(String);

impl KnownOrigin {
    /// Returns the part of a URL after the known origin, or `None` if the origin differs.
    #[inline]
    fn rest_of<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = text.strip_prefix(self.0.as_str()).filter(|_| !self.0.is_empty())?;
        matches!(rest.as_bytes().first(), None | Some(b'/' | b'?' | b'#')).then_some(rest)
    }

    /// Like [`rest_of`](Self::rest_of), for bytes.
    #[inline]
    fn rest_of_bytes<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        let rest = text.strip_prefix(self.0.as_bytes()).filter(|_| !self.0.is_empty())?;
        matches!(rest.first(), None | Some(b'/' | b'?' | b'#')).then_some(rest)
    }

    /// Remembers the origin of a URL in normal form.
    fn remember(&mut self, url: &str) {
        let authority = url.find("://").map_or(0, |at| at + 3);
        let len = url[authority..].find(['/', '?', '#']).map_or(url.len(), |at| authority + at);
        self.0.clear();
        self.0.push_str(&url[..len]);
    }
}

#[cold]
fn too_long(text: &str) -> LocError {
    LocError::new(LocErrorKind::TooLong(text.len()), text)
}

impl fmt::Display for Loc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Loc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Loc").field(&self.as_str()).finish()
    }
}

impl PartialEq for Loc<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Loc<'_> {}

impl PartialEq<str> for Loc<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Loc<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for Loc<'_> {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<Loc<'_>> for str {
    fn eq(&self, other: &Loc<'_>) -> bool {
        self == other.as_str()
    }
}

impl PartialEq<Loc<'_>> for &str {
    fn eq(&self, other: &Loc<'_>) -> bool {
        *self == other.as_str()
    }
}

impl PartialOrd for Loc<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Loc<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Loc<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl AsRef<str> for Loc<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl FromStr for Loc<'static> {
    type Err = LocError;

    /// Like [`Loc::parse`], but copies the string.
    fn from_str(text: &str) -> Result<Self, LocError> {
        Loc::parse(text).map(Loc::into_owned)
    }
}

impl<'a> TryFrom<&'a str> for Loc<'a> {
    type Error = LocError;

    fn try_from(text: &'a str) -> Result<Self, LocError> {
        Self::parse(text)
    }
}

impl TryFrom<String> for Loc<'static> {
    type Error = LocError;

    fn try_from(text: String) -> Result<Self, LocError> {
        Self::parse(text)
    }
}

#[cfg(feature = "url")]
impl<'a> TryFrom<&'a url::Url> for Loc<'a> {
    type Error = LocError;

    fn try_from(url: &'a url::Url) -> Result<Self, LocError> {
        Self::parse(url.as_str())
    }
}

impl From<Loc<'_>> for String {
    fn from(loc: Loc<'_>) -> Self {
        loc.text.into_owned()
    }
}

/// A value that can be a page's `loc`: an absolute URL, or a path such as `/about`, relative to the base of the
/// [`Site`](crate::Site).
///
/// Implement it for your own type to use that type in a field with the `loc` role. The returned string is always
/// checked, even if it comes from a [`Loc`] or a [`Url`](https://docs.rs/url).
///
/// ```
/// use std::borrow::Cow;
///
/// use sitemap_core::Site;
/// use sitemap_core::value::ToLoc;
///
/// /// A city's page.
/// struct City(&'static str);
///
/// impl ToLoc for City {
///     fn to_loc(&self) -> Cow<'_, str> {
///         format!("/cities/{}", self.0).into()
///     }
/// }
///
/// let site = Site::new("https://example.com")?;
/// assert_eq!(site.resolve(City("Köln").to_loc())?, "https://example.com/cities/K%C3%B6ln");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a sitemap `loc`",
    label = "not a URL",
    note = "use `String`, `&str`, `Url` or `Loc`, or convert the value with `#[sitemap(loc, with = path)]`",
    note = "a record without a page can be left out with `#[sitemap(skip_if = path)]`",
    note = "if the field is not meant for the sitemap, mark it `#[sitemap(skip)]`"
)]
pub trait ToLoc {
    /// Returns an absolute URL, or a path that starts with `/`. The string may be invalid; it is checked later.
    fn to_loc(&self) -> Cow<'_, str>;
}

impl ToLoc for str {
    fn to_loc(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl ToLoc for String {
    fn to_loc(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl ToLoc for Loc<'_> {
    fn to_loc(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.as_str())
    }
}

#[cfg(feature = "url")]
impl ToLoc for url::Url {
    fn to_loc(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.as_str())
    }
}

through_pointers!(ToLoc::to_loc() -> Cow<'_, str>);

#[cfg(test)]
#[path = "loc_tests.rs"]
mod tests;
