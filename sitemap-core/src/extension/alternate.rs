//! `xhtml:link`: a version of a page for another language or country.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::value::{Loc, LocError};

/// A version of a page for another language or country.
///
/// Each version of a page has its own entry. Each of these entries lists all versions as alternates, including its own
/// page. Search engines ignore an alternate unless that page links back. To add all alternates to every entry, use the
/// `locales` attribute of the derive macro or an [`AlternateGroup`](crate::record::AlternateGroup).
///
/// Source: [Google, localized versions](https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap).
///
/// ```
/// use sitemap_core::{Alternate, Loc};
/// use sitemap_core::extension::Hreflang;
///
/// let austrian = Alternate::new(Hreflang::parse("de-AT")?, Loc::parse("https://example.com/at/")?);
/// assert_eq!(austrian.hreflang().as_str(), "de-AT");
/// assert_eq!(austrian.href(), "https://example.com/at/");
/// assert_eq!(austrian, Alternate::parse("de-AT", "https://example.com/at/")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alternate<'a> {
    hreflang: Hreflang<'a>,
    href: Loc<'a>,
}

impl<'a> Alternate<'a> {
    /// Creates an alternate from a language tag and a URL. The URL may be on a different host than the page that lists
    /// it.
    #[must_use]
    pub const fn new(hreflang: Hreflang<'a>, href: Loc<'a>) -> Self {
        Self { hreflang, href }
    }

    /// Parses a language tag and an absolute URL.
    ///
    /// # Errors
    ///
    /// Returns [`AlternateError::Hreflang`] if the language tag is invalid, or [`AlternateError::Href`] if the URL is
    /// invalid.
    pub fn parse(
        hreflang: impl Into<Cow<'a, str>>,
        href: impl Into<Cow<'a, str>>,
    ) -> Result<Self, AlternateError> {
        let hreflang = Hreflang::parse(hreflang).map_err(AlternateError::Hreflang)?;
        Ok(Self::new(hreflang, Loc::parse(href).map_err(AlternateError::Href)?))
    }

    /// Returns the language tag of this version.
    #[must_use]
    pub const fn hreflang(&self) -> &Hreflang<'a> {
        &self.hreflang
    }

    /// Returns the URL of this version.
    #[must_use]
    pub const fn href(&self) -> &Loc<'a> {
        &self.href
    }

    /// Copies the borrowed strings, so that the alternate owns all of its data.
    #[must_use]
    pub fn into_owned(self) -> Alternate<'static> {
        Alternate { hreflang: self.hreflang.into_owned(), href: self.href.into_owned() }
    }
}

/// An invalid language tag or URL of an [`Alternate`].
///
/// ```
/// use sitemap_core::Alternate;
/// use sitemap_core::extension::AlternateError;
///
/// let error = Alternate::parse("en_US", "https://example.com/").unwrap_err();
/// assert!(matches!(error, AlternateError::Hreflang(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AlternateError {
    /// The language tag is invalid.
    Hreflang(HreflangError),
    /// The URL is invalid.
    Href(LocError),
}

impl fmt::Display for AlternateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hreflang(error) => error.fmt(f),
            Self::Href(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AlternateError {}

/// A language tag: either `x-default`, or a language with an optional script and country.
///
/// Examples are `en`, `zh-Hant`, `pt-BR` and `zh-Hans-TW`. The case of the letters is kept. The country is an ISO 3166
/// code: `GB`, not `UK`. Google ignores regions that are not countries, such as `419` in `es-419` and `EU` in `en-EU`.
///
/// ```
/// use sitemap_core::extension::Hreflang;
///
/// assert_eq!(Hreflang::parse("pt-BR")?.as_str(), "pt-BR");
/// assert!(Hreflang::parse("en-UK").is_err());
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hreflang<'a>(Cow<'a, str>);

impl<'a> Hreflang<'a> {
    /// The tag `x-default`, for users whose language has no version of its own.
    pub const X_DEFAULT: Hreflang<'static> = Hreflang(Cow::Borrowed("x-default"));

    /// Parses a language tag.
    ///
    /// # Errors
    ///
    /// Returns a [`HreflangError`] unless the tag is `x-default` or has the form `language`, `language-script`,
    /// `language-country` or `language-script-country`. A language has two or three letters, a script has four, and a
    /// country has two. `UK`, `EU` and `UN` are not accepted as countries.
    pub fn parse(tag: impl Into<Cow<'a, str>>) -> Result<Self, HreflangError> {
        let tag = tag.into();
        if is_valid(tag.as_bytes()) { Ok(Self(tag)) } else { Err(HreflangError::new(&tag)) }
    }

    /// Wraps a string that is known to be a valid tag.
    #[inline]
    pub(crate) const fn trusted(tag: Cow<'a, str>) -> Self {
        Self(tag)
    }

    /// Returns the tag as a string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Copies a borrowed tag, so that the result owns its string.
    #[must_use]
    pub fn into_owned(self) -> Hreflang<'static> {
        Hreflang(self.0.into_owned().into())
    }
}

/// Returns `true` if the string is a valid tag.
#[inline]
pub(crate) fn is_valid(tag: &[u8]) -> bool {
    match tag {
        // Most tags have one of these forms. Matching them first is faster than searching for hyphens.
        [a, b] => a.is_ascii_alphabetic() && b.is_ascii_alphabetic(),
        b"x-default" => true,
        _ => is_locale_bytes(tag),
    }
}

/// Returns `true` for a language with an optional script and country.
pub(crate) const fn is_locale(tag: &str) -> bool {
    is_locale_bytes(tag.as_bytes())
}

const fn is_locale_bytes(tag: &[u8]) -> bool {
    let (language, rest) = next_part(tag);
    if !(language.len() == 2 || language.len() == 3) || !is_letters(language) {
        return false;
    }
    let Some(rest) = rest else { return true };
    let (part, rest) = next_part(rest);
    match rest {
        None => is_script(part) || is_country(part),
        Some(rest) => {
            let (country, end) = next_part(rest);
            is_script(part) && is_country(country) && end.is_none()
        }
    }
}

/// Splits a string at its first hyphen.
const fn next_part(tag: &[u8]) -> (&[u8], Option<&[u8]>) {
    let mut at = 0;
    while at < tag.len() {
        if tag[at] == b'-' {
            let (part, rest) = tag.split_at(at);
            return (part, Some(rest.split_at(1).1));
        }
        at += 1;
    }
    (tag, None)
}

const fn is_letters(part: &[u8]) -> bool {
    let mut at = 0;
    while at < part.len() {
        if !part[at].is_ascii_alphabetic() {
            return false;
        }
        at += 1;
    }
    true
}

const fn is_script(part: &[u8]) -> bool {
    part.len() == 4 && is_letters(part)
}

/// `UK`, `EU` and `UN` are reserved codes, not ISO 3166 countries. Google documents that it ignores them.
const fn is_country(part: &[u8]) -> bool {
    part.len() == 2
        && is_letters(part)
        && !part.eq_ignore_ascii_case(b"UK")
        && !part.eq_ignore_ascii_case(b"EU")
        && !part.eq_ignore_ascii_case(b"UN")
}

impl fmt::Display for Hreflang<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for Hreflang<'static> {
    type Err = HreflangError;

    /// Like [`Hreflang::parse`], but returns an owned tag.
    fn from_str(tag: &str) -> Result<Self, HreflangError> {
        Hreflang::parse(tag).map(Hreflang::into_owned)
    }
}

/// A string that is not a valid language tag in a sitemap.
///
/// ```
/// use sitemap_core::extension::Hreflang;
///
/// assert_eq!(
///     Hreflang::parse("en_US").unwrap_err().to_string(),
///     "`hreflang` is \"en_US\"; write `en-US`, with a hyphen"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HreflangError {
    found: Box<str>,
    /// The tag with hyphens instead of underscores, if that is a valid tag.
    hyphenated: Option<Box<str>>,
}

impl HreflangError {
    #[cold]
    fn new(tag: &str) -> Self {
        let hyphenated = tag.replace('_', "-");
        let hyphenated = is_valid(hyphenated.as_bytes()).then(|| hyphenated.into());
        Self { found: tag.chars().take(40).collect(), hyphenated }
    }
}

impl fmt::Display for HreflangError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hyphenated {
            Some(tag) => write!(f, "`hreflang` is {:?}; write `{tag}`, with a hyphen", self.found),
            None => write!(
                f,
                "`hreflang` is {:?}; write a language with an optional script and country, like `en`, `zh-Hant`, \
                 `pt-BR` or `x-default`",
                self.found
            ),
        }
    }
}

impl std::error::Error for HreflangError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_with_an_optional_script_and_country() {
        for tag in ["en", "EN", "fil", "pt-BR", "pt-br", "zh-Hant", "zh-Hans-TW", "en-GB", "x-default"] {
            assert_eq!(Hreflang::parse(tag).unwrap().as_str(), tag);
        }
    }

    #[test]
    fn what_search_engines_ignore_is_refused() {
        for tag in [
            "",
            "e",
            "engl",
            "en_US",
            "en-",
            "-US",
            "en-UK",
            "en-uk",
            "de-EU",
            "en-UN",
            "es-419",
            "en-US-Latn",
            "zh-Hans-TW-x",
            "x-Default",
            "x",
            "en US",
            "日本",
        ] {
            assert!(Hreflang::parse(tag).is_err(), "{tag:?}");
        }
    }
}
