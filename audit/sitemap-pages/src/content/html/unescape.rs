//! Character references and line end normalisation.

use std::borrow::Cow;

use htmlize::Context;
use memchr::{memchr, memchr3};

/// Resolves the character references in an attribute value, and replaces NUL and carriage returns as browsers do.
pub(crate) fn unescape(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr3(b'&', 0, b'\r', value).is_none() {
        return Cow::Borrowed(value);
    }
    let clean = normalise(value);
    if memchr(b'&', &clean).is_none() { clean } else { htmlize::unescape_bytes_in(clean, Context::Attribute) }
}

/// Resolves the character references in text between tags.
pub(crate) fn unescape_text(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'&', text).is_none() {
        return Cow::Borrowed(text);
    }
    htmlize::unescape_bytes_in(text, Context::General)
}

/// Replaces each NUL with the replacement character, and each CRLF or CR with a line feed.
fn normalise(value: &[u8]) -> Cow<'_, [u8]> {
    if value.iter().all(|&byte| byte != 0 && byte != b'\r') {
        return Cow::Borrowed(value);
    }
    let mut clean = Vec::with_capacity(value.len());
    for (at, &byte) in value.iter().enumerate() {
        match byte {
            0 => clean.extend_from_slice("\u{fffd}".as_bytes()),
            b'\r' => clean.push(b'\n'),
            b'\n' if at > 0 && value[at - 1] == b'\r' => {}
            _ => clean.push(byte),
        }
    }
    Cow::Owned(clean)
}

#[cfg(test)]
mod tests {
    use super::{unescape, unescape_text};

    #[test]
    fn references_end_differently_in_attributes() {
        assert_eq!(*unescape(b"?a=1&copy=2&amp;b=3"), *b"?a=1&copy=2&b=3");
        assert_eq!(*unescape_text(b"1&copy=2"), *"1\u{a9}=2".as_bytes());
        assert_eq!(*unescape(b"a\r\nb\rc\0&#x41;"), *"a\nb\nc\u{fffd}A".as_bytes());
    }
}
