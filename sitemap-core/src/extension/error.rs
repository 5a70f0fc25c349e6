//! What is wrong with a value of an extension.

use std::borrow::Cow;
use std::fmt;

/// A value that an extension does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionError {
    element: Cow<'static, str>,
    kind: ExtensionErrorKind,
    /// What the value must be, from "must" on.
    expected: Cow<'static, str>,
    found: Box<str>,
}

/// Which rule the value of an [`ExtensionError`] breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExtensionErrorKind {
    /// There is nothing in it but white space, or nothing in a list.
    Empty,
    /// It has a character that XML forbids.
    Character,
    /// It has too many characters.
    TooLong,
    /// There are too many of them.
    TooMany,
    /// A number is out of range.
    Range,
    /// It is not of the form, or none of the words, that the extension knows.
    Form,
    /// It conflicts with another value of its entry.
    Conflict,
    /// The element lacks a value that it must have.
    Incomplete,
}

impl ExtensionError {
    #[cold]
    pub(super) fn new(
        element: impl Into<Cow<'static, str>>,
        kind: ExtensionErrorKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Box<str>>,
    ) -> Self {
        Self { element: element.into(), kind, expected: expected.into(), found: found.into() }
    }

    /// The value's element, as in `video:title`.
    #[must_use]
    pub fn element(&self) -> &str {
        &self.element
    }

    /// The rule it breaks.
    #[must_use]
    pub fn kind(&self) -> ExtensionErrorKind {
        self.kind
    }
}

/// The part of a bad text that an error repeats, as a quoted literal.
pub(super) fn excerpt(text: &str) -> Box<str> {
    const LONGEST: usize = 48;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}…", &text[..end]).into(),
        None => format!("{text:?}").into(),
    }
}

impl fmt::Display for ExtensionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}, found {}", self.element, self.expected, self.found)
    }
}

impl std::error::Error for ExtensionError {}
