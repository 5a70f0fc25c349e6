//! Texts and dates of extensions, and which of them are refused.

use std::borrow::Cow;

use super::error::{ExtensionError, ExtensionErrorKind, excerpt};
use crate::value::{LastMod, Precision};

/// Whether XML allows a character; the others cannot even be written as `&#…;`.
///
/// Source: [XML 1.0, characters](https://www.w3.org/TR/xml/#charsets).
pub(crate) const fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// A text that says something, of at most so many characters. White space around it is dropped, as
/// readers drop it.
pub(super) fn checked<'a>(
    element: &'static str,
    text: impl Into<Cow<'a, str>>,
    max: usize,
) -> Result<Cow<'a, str>, ExtensionError> {
    let text = text.into();
    allowed(element, &text)?;
    if text.trim().is_empty() {
        let expected = "must not be empty; write something or leave it out";
        return Err(ExtensionError::new(element, ExtensionErrorKind::Empty, expected, excerpt(&text)));
    }
    let text = trimmed(text);
    // There are never more characters than bytes.
    if text.len() > max {
        let len = text.chars().count();
        if len > max {
            let expected = format!("must have at most {max} characters");
            return Err(ExtensionError::new(element, ExtensionErrorKind::TooLong, expected, len.to_string()));
        }
    }
    Ok(text)
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) if text.trim().len() == text.len() => Cow::Owned(text),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// A text of any length that XML can hold.
pub(super) fn allowed(element: impl Into<Cow<'static, str>>, text: &str) -> Result<(), ExtensionError> {
    match text.chars().find(|&c| !is_xml_char(c)) {
        None => Ok(()),
        Some(c) => Err(ExtensionError::new(
            element,
            ExtensionErrorKind::Character,
            "must not have characters that XML forbids; remove them",
            format!("U+{:04X} in {}", u32::from(c), excerpt(text)),
        )),
    }
}

pub(super) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// For texts that no one limits.
pub(super) const ANY_LENGTH: usize = usize::MAX;

/// A date that names at least a day, and no time with hours and minutes alone unless `minutes` are
/// enough.
pub(super) fn full_date(
    element: &'static str,
    date: LastMod,
    minutes: bool,
) -> Result<LastMod, ExtensionError> {
    match date.precision() {
        Precision::Day | Precision::Second | Precision::Fraction => Ok(date),
        Precision::Minute if minutes => Ok(date),
        Precision::Year | Precision::Month | Precision::Minute => {
            let expected = if minutes {
                "must be a day, or a day and time"
            } else {
                "must be a day, or a day and time with seconds"
            };
            Err(ExtensionError::new(element, ExtensionErrorKind::Form, expected, excerpt(&date.to_string())))
        }
    }
}
