//! `xhtml:link`: the same page in another language or for another country.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::value::{Loc, LocError};

/// A version of a page for another language or country.
///
/// Every version of a page is an entry of its own and lists all versions, itself included; search
/// engines ignore pairs that do not point back to each other. `locales` in the derive sees to that.
///
/// Source: [Google, localized versions](https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap).
///
/// ```
/// use sitemap_core::{Alternate, Loc};
/// use sitemap_core::extension::Hreflang;
///
/// let german = Alternate::new(Hreflang::parse("de-AT")?, Loc::parse("https://example.com/at/")?);
/// assert_eq!(german.hreflang().as_str(), "de-AT");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alternate<'a> {
    hreflang: Hreflang<'a>,
    href: Loc<'a>,
}

impl<'a> Alternate<'a> {
    /// A version by its language and address, which may be on another host.
    #[must_use]
    pub const fn new(hreflang: Hreflang<'a>, href: Loc<'a>) -> Self {
        Self { hreflang, href }
    }

    /// Checks a language tag and an absolute URL.
    ///
    /// # Errors
    ///
    /// If one of them is invalid.
    pub fn parse(
        hreflang: impl Into<Cow<'a, str>>,
        href: impl Into<Cow<'a, str>>,
    ) -> Result<Self, AlternateError> {
        let hreflang = Hreflang::parse(hreflang).map_err(AlternateError::Hreflang)?;
        Ok(Self::new(hreflang, Loc::parse(href).map_err(AlternateError::Href)?))
    }

    /// The language, and perhaps script and country, of this version.
    #[must_use]
    pub const fn hreflang(&self) -> &Hreflang<'a> {
        &self.hreflang
    }

    /// Its address.
    #[must_use]
    pub const fn href(&self) -> &Loc<'a> {
        &self.href
    }

    /// The same version, independent of what it was made from.
    #[must_use]
    pub fn into_owned(self) -> Alternate<'static> {
        Alternate { hreflang: self.hreflang.into_owned(), href: self.href.into_owned() }
    }
}

/// A language tag or URL that is not valid in an [`Alternate`].
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

impl<'a, L: AsRef<str>, U: AsRef<str>> TryFrom<&'a (L, U)> for Alternate<'a> {
    type Error = AlternateError;

    /// A pair of language and URL.
    fn try_from((hreflang, href): &'a (L, U)) -> Result<Self, AlternateError> {
        Self::parse(hreflang.as_ref(), href.as_ref())
    }
}

/// Which readers a version is for: a language, perhaps with a script and a country, or `x-default`.
///
/// `en`, `zh-Hant`, `pt-BR`, `zh-Hans-TW`. Letters are kept in the case they are given in. A region
/// must be a country: Google ignores `es-419` and `en-EU`, and the United Kingdom is `GB`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hreflang<'a>(Cow<'a, str>);

impl<'a> Hreflang<'a> {
    /// The version for readers whom no other version is for.
    pub const X_DEFAULT: Hreflang<'static> = Hreflang(Cow::Borrowed("x-default"));

    /// Checks a language tag.
    ///
    /// # Errors
    ///
    /// If it is neither `x-default` nor a language of two or three letters, optionally followed by
    /// `-` and a script of four letters, optionally followed by `-` and a country of two letters.
    pub fn parse(tag: impl Into<Cow<'a, str>>) -> Result<Self, HreflangError> {
        let tag = tag.into();
        if is_valid(&tag) {
            Ok(Self(tag))
        } else {
            Err(HreflangError { found: tag.chars().take(40).collect() })
        }
    }

    /// The tag.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same tag, independent of the text it was read from.
    #[must_use]
    pub fn into_owned(self) -> Hreflang<'static> {
        Hreflang(self.0.into_owned().into())
    }
}

fn is_valid(tag: &str) -> bool {
    if tag == "x-default" {
        return true;
    }
    let is_letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_script = |part: &str| part.len() == 4 && is_letters(part);
    let is_country = |part: &str| {
        // Reserved codes that are no country, which Google names as ignored.
        let ignored = ["UK", "EU", "UN"];
        part.len() == 2 && is_letters(part) && !ignored.iter().any(|code| part.eq_ignore_ascii_case(code))
    };
    let mut parts = tag.split('-');
    let language = parts.next().unwrap_or_default();
    if !(2..=3).contains(&language.len()) || !is_letters(language) {
        return false;
    }
    match (parts.next(), parts.next(), parts.next()) {
        (None, ..) => true,
        (Some(part), None, _) => is_script(part) || is_country(part),
        (Some(script), Some(country), None) => is_script(script) && is_country(country),
        _ => false,
    }
}

impl fmt::Display for Hreflang<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for Hreflang<'static> {
    type Err = HreflangError;

    /// Same as [`Hreflang::parse`], but always owned.
    fn from_str(tag: &str) -> Result<Self, HreflangError> {
        Hreflang::parse(tag).map(Hreflang::into_owned)
    }
}

/// A text that is not a language tag for a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HreflangError {
    found: Box<str>,
}

impl fmt::Display for HreflangError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "hreflang must be a language, optionally with a script and a country; write it like `en`, \
             `zh-Hant`, `pt-BR` or `x-default`, found {:?}",
            self.found
        )
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
        assert_eq!(
            Hreflang::parse("en_US").unwrap_err().to_string(),
            "hreflang must be a language, optionally with a script and a country; write it like `en`, \
             `zh-Hant`, `pt-BR` or `x-default`, found \"en_US\""
        );
    }
}
