//! `loc`: the address of a page.

mod constant;
mod error;
mod host;
mod normal;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::str::FromStr;
use std::sync::Arc;

pub use error::{LocError, LocErrorKind};
pub(crate) use normal::{is_dot_segment, push_percent};

use super::specials::Specials;
use normal::{is_plain_rest, normalise, normalise_rest};

/// The address of a page: an absolute `http` or `https` URI of at most 2,047 ASCII characters.
///
/// What is made of the text it is read from:
///
/// - Existing percent escapes stay as they are, including those that are not UTF-8 (`%FC`).
/// - Characters that RFC 3986 does not allow in a path or query are percent-encoded as UTF-8, with
///   upper-case digits: `ü` becomes `%C3%BC`, a space `%20`, a `%` that begins no escape `%25`.
/// - The scheme and host become lower case, the host's IDNA form, without the scheme's default port.
/// - Everything else is kept as given, including a trailing slash, and a fragment, which crawlers
///   ignore.
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
///     "`loc` must be an absolute URL; begin it with `https://` or `http://`, found \"/about\""
/// );
/// # Ok::<(), sitemap_core::value::LocError>(())
/// ```
#[derive(Clone)]
pub struct Loc<'a> {
    text: Cow<'a, str>,
    /// Not part of the value: equal addresses may know different things of themselves.
    specials: Specials,
}

impl<'a> Loc<'a> {
    /// The longest a `loc` may be: the protocol says "less than 2,048 characters".
    pub const MAX_LEN: usize = error::MAX_LEN;

    /// For the place of a URL that constructors always set.
    pub(crate) const NONE: &'static Loc<'static> =
        &Loc { text: Cow::Borrowed(""), specials: Specials::UNKNOWN };

    /// Returns the URL of a constant.
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
    /// If the text is not a URL in its normal form: an error of the compiler in a `const`. [`Loc::parse`] also takes
    /// URLs that have to be encoded, IP addresses, and path segments that begin with `.` or `%`.
    #[must_use]
    pub const fn from_static(url: &'static str) -> Loc<'static> {
        assert!(
            constant::is_normal(url),
            "the URL of a constant must be in its normal form; use `Loc::parse` for other URLs"
        );
        Loc { text: Cow::Borrowed(url), specials: Specials::UNKNOWN }
    }

    /// Checks an absolute URL; borrows it when nothing has to be encoded.
    ///
    /// # Errors
    ///
    /// If it is empty, surrounded by white space, relative, of another scheme, without a valid host,
    /// with a user name or password, with control characters, with `.` or `..` segments, or longer
    /// than 2,047 characters once encoded.
    pub fn parse(text: impl Into<Cow<'a, str>>) -> Result<Self, LocError> {
        let text = text.into();
        let text = match Self::normalised(&text)? {
            None => text,
            Some(changed) => changed.into(),
        };
        Ok(Self { text, specials: Specials::UNKNOWN })
    }

    /// What [`Loc::parse`] makes of the text; `None` when it stays as it is.
    pub(crate) fn normalised(text: &str) -> Result<Option<String>, LocError> {
        normalise(text).map_err(|kind| LocError::new(kind, text))
    }

    /// As [`Loc::normalised`], for one of many addresses of the same site.
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
            known.learn(text);
        }
        Ok(normal)
    }

    /// Whether an address of the same site as the last one stays as it is; `false` also where that
    /// takes a second look.
    #[inline]
    pub(crate) fn is_normal_like(text: &[u8], known: &KnownOrigin) -> bool {
        text.len() <= Self::MAX_LEN && known.rest_in(text).is_some_and(is_plain_rest)
    }

    /// For text that was checked before.
    #[inline]
    pub(crate) fn trusted(text: Cow<'a, str>) -> Self {
        Self { text, specials: Specials::UNKNOWN }
    }

    /// The same for an address put together of parts whose special characters are known.
    #[inline]
    pub(crate) fn from_parts(text: Cow<'a, str>, specials: Specials) -> Result<Self, LocError> {
        if text.len() > Self::MAX_LEN {
            return Err(too_long(&text));
        }
        Ok(Self { text, specials })
    }

    /// Where it has to be escaped for XML.
    #[inline]
    pub(crate) fn specials(&self) -> &Specials {
        &self.specials
    }

    /// The URI as ASCII text, not yet escaped for XML.
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The same address, independent of the text it was read from.
    #[must_use]
    pub fn into_owned(self) -> Loc<'static> {
        Loc { text: self.text.into_owned().into(), specials: self.specials }
    }
}

/// The scheme and host of the last address that was normal as it stood: the next one mostly has the
/// same, which then needs no second look.
#[derive(Debug, Default)]
pub struct KnownOrigin(String);

impl KnownOrigin {
    /// What follows the origin, in an address that begins with it.
    #[inline]
    fn rest_of<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = text.strip_prefix(self.0.as_str()).filter(|_| !self.0.is_empty())?;
        matches!(rest.as_bytes().first(), None | Some(b'/' | b'?' | b'#')).then_some(rest)
    }

    #[inline]
    fn rest_in<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        let rest = text.strip_prefix(self.0.as_bytes()).filter(|_| !self.0.is_empty())?;
        matches!(rest.first(), None | Some(b'/' | b'?' | b'#')).then_some(rest)
    }

    /// `text` is a normal address.
    fn learn(&mut self, text: &str) {
        let authority = text.find("://").map_or(0, |at| at + 3);
        let len = text[authority..].find(['/', '?', '#']).map_or(text.len(), |at| authority + at);
        self.0.clear();
        self.0.push_str(&text[..len]);
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

    /// Same as [`Loc::parse`], but always owned.
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

/// A value that can be a page's `loc`: an absolute URL, or a path such as `/about`, which counts from
/// the [`Site`](crate::Site)'s base.
///
/// Implement it for a type of your own to use that type in a field with the `loc` role. What it
/// gives is checked like any other text; a value that is already a [`Loc`] or [`Url`](https://docs.rs/url) too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a sitemap `loc`",
    label = "not a URL",
    note = "use `String`, `&str`, `Url` or `Loc`, or convert with `#[sitemap(loc, with = path)]`",
    note = "a record without a page can be left out with `#[sitemap(skip_if = path)]`",
    note = "if the field only happens to have that name, mark it `#[sitemap(skip)]`"
)]
pub trait ToLoc {
    /// The absolute URL or rooted path, not yet checked.
    fn to_loc(&self) -> Cow<'_, str>;
}

macro_rules! to_loc {
    ($($type:ty),+) => {$(
        impl ToLoc for $type {
            fn to_loc(&self) -> Cow<'_, str> {
                Cow::Borrowed(self.as_ref())
            }
        }
    )+};
}

to_loc!(str, String, Box<str>, Rc<str>, Arc<str>, Cow<'_, str>, Loc<'_>);
#[cfg(feature = "url")]
to_loc!(url::Url);

#[diagnostic::do_not_recommend]
impl<T: ToLoc + ?Sized> ToLoc for &T {
    fn to_loc(&self) -> Cow<'_, str> {
        (**self).to_loc()
    }
}

#[cfg(test)]
#[path = "loc_tests.rs"]
mod tests;
