//! Checks for strings and dates in extensions.

use std::borrow::Cow;

use super::error::{ExtensionError, ExtensionErrorKind, excerpt};
use crate::value::{LastMod, Precision};

/// Returns `true` if XML allows the character. A forbidden character can't even be written as `&#…;`.
///
/// Source: [XML 1.0, characters](https://www.w3.org/TR/xml/#charsets).
pub(crate) const fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// Checks that a string is not blank, has at most `max` characters, and contains no character that XML forbids.
///
/// Returns the string without leading and trailing white space, which sitemap readers ignore.
pub(super) fn checked<'a>(
    element: &'static str,
    text: impl Into<Cow<'a, str>>,
    max: usize,
) -> Result<Cow<'a, str>, ExtensionError> {
    let text = text.into();
    allowed(element, &text)?;
    if text.trim().is_empty() {
        let found = format!("is {}, which is blank", excerpt(&text));
        let remedy = "write a text or leave the value out";
        return Err(ExtensionError::new(element, ExtensionErrorKind::Empty, found, remedy));
    }
    let text = trimmed(text);
    // A string never has more characters than bytes, so the characters are counted only if there are more than `max`
    // bytes.
    if text.len() > max {
        let len = text.chars().count();
        if len > max {
            let found = format!("has {len} characters");
            let remedy = format!("use at most {max}");
            return Err(ExtensionError::new(element, ExtensionErrorKind::TooLong, found, remedy));
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

/// Checks that XML allows all characters in a string.
pub(super) fn allowed(element: impl Into<Cow<'static, str>>, text: &str) -> Result<(), ExtensionError> {
    // The forbidden characters are control characters, U+FFFE and U+FFFF. The last two start with the byte 0xEF in
    // UTF-8. The compiler can vectorise this search for bytes, but not one for characters.
    #[allow(clippy::needless_bitwise_bool)] // lazy operators would be branches
    let is_suspicious = |byte: u8| (byte < b' ') | (byte == 0xEF);
    if !text.bytes().fold(false, |found, byte| found | is_suspicious(byte)) {
        return Ok(());
    }
    match text.chars().find(|&c| !is_xml_char(c)) {
        None => Ok(()),
        Some(c) => Err(ExtensionError::new(
            element,
            ExtensionErrorKind::Character,
            format!("has U+{:04X}, a character that XML forbids, in {}", u32::from(c), excerpt(text)),
            "remove the character",
        )),
    }
}

pub(super) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// A maximum that allows a string of any length, for values without a documented limit.
pub(super) const ANY_LENGTH: usize = usize::MAX;

/// Checks that a date contains a day, not only a year or month. A date with a time must also have seconds, unless
/// `minutes` is true.
pub(super) fn full_date(
    element: &'static str,
    date: LastMod,
    minutes: bool,
) -> Result<LastMod, ExtensionError> {
    match date.precision() {
        Precision::Day | Precision::Second | Precision::Fraction => Ok(date),
        Precision::Minute if minutes => Ok(date),
        Precision::Year | Precision::Month | Precision::Minute => {
            let found = format!("is {}", excerpt(&date.to_string()));
            Err(ExtensionError::new(element, ExtensionErrorKind::Invalid, found, date_remedy(minutes)))
        }
    }
}

/// Returns the remedy for a string that is not a [`full_date`].
pub(super) const fn date_remedy(minutes: bool) -> &'static str {
    if minutes {
        "write a day like `2026-01-31`, or a day and time like `2026-01-31T16:05Z`"
    } else {
        "write a day like `2026-01-31`, or a day and time like `2026-01-31T16:05:30Z`"
    }
}
