//! Errors in extension values.

use std::borrow::Cow;
use std::fmt;

/// A value that an extension does not accept.
///
/// ```
/// use sitemap_core::extension::{ExtensionErrorKind, Publication};
///
/// let error = Publication::new("The Example Times", "english").unwrap_err();
/// assert_eq!(error.element(), "news:language");
/// assert_eq!(error.kind(), ExtensionErrorKind::Invalid);
/// assert_eq!(
///     error.to_string(),
///     "`news:language` is \"english\"; write two or three lower-case letters, `zh-cn` or `zh-tw`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionError {
    element: Cow<'static, str>,
    kind: ExtensionErrorKind,
    /// The problem, such as `has 101 characters`. It follows the name of the element in the message.
    found: Box<str>,
    /// The remedy, such as `use at most 100`.
    remedy: Cow<'static, str>,
}

/// The kind of problem that an [`ExtensionError`] reports.
///
/// ```
/// use sitemap_core::extension::ExtensionErrorKind;
/// use sitemap_core::extension::video::Uploader;
///
/// assert_eq!(Uploader::new(" ").unwrap_err().kind(), ExtensionErrorKind::Empty);
/// assert_eq!(Uploader::new("x".repeat(256)).unwrap_err().kind(), ExtensionErrorKind::TooLong);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExtensionErrorKind {
    /// A string is empty or only white space, or a list has no items.
    Empty,
    /// A string contains a character that XML forbids.
    Character,
    /// A string has too many characters.
    TooLong,
    /// There are too many elements, list items or levels of nesting.
    TooMany,
    /// A number is out of range.
    Range,
    /// A string does not have the required form, or is not one of the words that the extension defines.
    Invalid,
    /// A value conflicts with another value in its entry.
    Conflict,
    /// An element lacks a required value.
    Incomplete,
}

impl ExtensionError {
    #[cold]
    pub(super) fn new(
        element: impl Into<Cow<'static, str>>,
        kind: ExtensionErrorKind,
        found: impl Into<Box<str>>,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { element: element.into(), kind, found: found.into(), remedy: remedy.into() }
    }

    /// Returns the name of the element or attribute with the invalid value, such as `video:title`.
    #[must_use]
    pub fn element(&self) -> &str {
        &self.element
    }

    /// Returns the kind of the problem.
    #[must_use]
    pub fn kind(&self) -> ExtensionErrorKind {
        self.kind
    }
}

/// Quotes the first 48 characters of an invalid string.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 48;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

impl fmt::Display for ExtensionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}; {}", self.element, self.found, self.remedy)
    }
}

impl std::error::Error for ExtensionError {}
