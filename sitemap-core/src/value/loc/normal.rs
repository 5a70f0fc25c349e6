//! The normal form of a URL.

use std::borrow::Cow;

use super::error::{LocErrorKind, MAX_LEN};
use super::host::{after_plain_host, is_plain_host, normalise_host};

/// Classes of the bytes after a URL's host. Each class is one bit, so one number can hold the classes of all bytes in a
/// string.
pub(super) mod class {
    /// A byte that stays as it is in a path or query.
    pub(in super::super) const PLAIN: u8 = 0;
    /// A `.`. It is allowed except in a `.` or `..` segment, which is an error.
    pub(in super::super) const DOT: u8 = 1;
    /// A `%`, which starts an escape.
    pub(in super::super) const PERCENT: u8 = 2;
    /// A `#`. The first one starts the fragment; others are percent-encoded.
    pub(in super::super) const HASH: u8 = 4;
    /// A byte that is percent-encoded.
    pub(in super::super) const ENCODE: u8 = 8;
    /// A C0 control or DEL, which is an error.
    pub(in super::super) const CONTROL: u8 = 16;
}

/// The class of each byte. The plain bytes are `/`, `?` and those of RFC 3986's `pchar` except `.` and `%`.
const CLASSES: [u8; 256] = {
    let mut classes = [class::ENCODE; 256];
    let mut byte = 0;
    while byte < 256 {
        #[allow(clippy::cast_possible_truncation)] // below 256
        let class = match byte as u8 {
            b'.' => class::DOT,
            byte if byte.is_ascii_alphanumeric() || is_one_of(byte, b"-_~!$&'()*+,;=:@/?") => class::PLAIN,
            b'%' => class::PERCENT,
            b'#' => class::HASH,
            ..=0x1F | 0x7F => class::CONTROL,
            _ => class::ENCODE,
        };
        classes[byte] = class;
        byte += 1;
    }
    classes
};

pub(super) const fn class_of(byte: u8) -> u8 {
    CLASSES[byte as usize]
}

const fn is_one_of(byte: u8, bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == byte {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns the normal form of a URL, or `None` if the string is already in that form.
pub(super) fn normalise(text: &str) -> Result<Option<String>, LocErrorKind> {
    if is_plain(text.as_bytes()) {
        return Ok(None);
    }
    if text.is_empty() {
        return Err(LocErrorKind::Empty);
    }
    if text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
        return Err(LocErrorKind::Whitespace);
    }
    let (scheme, after_scheme) = split_scheme(text)?;
    let ends_authority = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
    let authority_len = after_scheme.as_bytes().iter().position(ends_authority).unwrap_or(after_scheme.len());
    let (authority, rest) = after_scheme.split_at(authority_len);
    let authority = normalise_authority(scheme, authority)?;
    let encoded = normalise_rest(rest)?;

    let unchanged = encoded.is_none() && matches!(authority, Cow::Borrowed(_)) && text.starts_with(scheme);
    let rest = encoded.as_deref().unwrap_or(rest);
    let len = scheme.len() + authority.len() + rest.len();
    if len > MAX_LEN {
        return Err(LocErrorKind::TooLong(len));
    }
    Ok((!unchanged).then(|| format!("{scheme}{authority}{rest}")))
}

/// Returns `true` if a quick check shows that a URL is in its normal form, as most URLs are.
fn is_plain(text: &[u8]) -> bool {
    let Some(after_scheme) = text.strip_prefix(b"https://").or_else(|| text.strip_prefix(b"http://")) else {
        return false;
    };
    text.len() <= MAX_LEN
        && after_plain_host(after_scheme).is_some_and(|rest| {
            matches!(rest.first(), None | Some(b'/' | b'?' | b'#')) && is_plain_rest(rest)
        })
}

/// Returns the scheme in lower case with its `://`, and the rest of the URL.
fn split_scheme(text: &str) -> Result<(&'static str, &str), LocErrorKind> {
    for scheme in ["https://", "http://"] {
        if let Some((start, rest)) = text.split_at_checked(scheme.len())
            && start.eq_ignore_ascii_case(scheme)
        {
            return Ok((scheme, rest));
        }
    }
    let scheme_len = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
    let has_scheme = text.as_bytes()[0].is_ascii_alphabetic() && text[scheme_len..].starts_with(':');
    // In `localhost:8080/x`, `localhost` looks like a scheme. The digit after the colon shows that it is a
    // host.
    let is_port = text.as_bytes().get(scheme_len + 1).is_some_and(u8::is_ascii_digit);
    Err(if has_scheme && !is_port { LocErrorKind::Scheme } else { LocErrorKind::Relative })
}

fn normalise_authority<'t>(scheme: &str, authority: &'t str) -> Result<Cow<'t, str>, LocErrorKind> {
    if is_plain_host(authority) {
        return Ok(Cow::Borrowed(authority));
    }
    if authority.contains('@') {
        return Err(LocErrorKind::Credentials);
    }
    // If a `]` follows the last colon, the colon is part of an IPv6 address and does not start a port.
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let port = match port {
        None => None,
        Some(port) => normalise_port(scheme, port)?,
    };
    let host = normalise_host(host)?;
    Ok(match (host, port) {
        (Cow::Borrowed(host), None) if host.len() == authority.len() => Cow::Borrowed(authority),
        (host, None) => Cow::Owned(host.into_owned()),
        (host, Some(port)) => {
            let whole = format!("{host}:{port}");
            if whole == authority { Cow::Borrowed(authority) } else { Cow::Owned(whole) }
        }
    })
}

/// Returns the port, or `None` if it is empty or the default port of the scheme.
fn normalise_port(scheme: &str, port: &str) -> Result<Option<u16>, LocErrorKind> {
    if port.is_empty() {
        return Ok(None);
    }
    if !port.bytes().all(|b| b.is_ascii_digit()) {
        return Err(LocErrorKind::Port);
    }
    let number = port.parse::<u16>().map_err(|_| LocErrorKind::Port)?;
    let default = if scheme == "https://" { 443 } else { 80 };
    Ok((number != default).then_some(number))
}

/// Encodes the path, query and fragment. Returns `None` if nothing needs encoding.
pub(super) fn normalise_rest(rest: &str) -> Result<Option<String>, LocErrorKind> {
    if is_plain_rest(rest.as_bytes()) {
        return Ok(None);
    }
    let seen = rest.bytes().fold(class::PLAIN, |seen, byte| seen | class_of(byte));
    let encoded = if seen & !class::DOT == class::PLAIN { None } else { encode(rest)? };
    if seen & (class::DOT | class::PERCENT) != 0 {
        let path = rest.split(['?', '#']).next().unwrap_or_default();
        if path.split('/').any(is_dot_segment) {
            return Err(LocErrorKind::DotSegment);
        }
    }
    Ok(encoded)
}

/// Returns `true` if a quick check finds nothing to encode and no `/.`, which may start a `.` or `..` segment.
///
/// Eight table look-ups at a time are as fast as vector comparisons, and they don't depend on an optimisation: if a
/// program is linked for size, the loops in its crates are not vectorised.
#[inline]
pub(super) fn is_plain_rest(rest: &[u8]) -> bool {
    is_plain_by(&CLASSES, rest)
}

/// Like [`is_plain_rest`], but returns `false` if the string contains a `&`.
#[inline]
pub(super) fn is_plain_without_ampersand(rest: &[u8]) -> bool {
    const CLASSES_OF_TEXT: [u8; 256] = {
        let mut classes = CLASSES;
        classes[b'&' as usize] = class::ENCODE;
        classes
    };
    is_plain_by(&CLASSES_OF_TEXT, rest)
}

#[inline]
fn is_plain_by(classes: &[u8; 256], rest: &[u8]) -> bool {
    let class_of = |byte: u8| classes[usize::from(byte)];
    let (chunks, last) = rest.as_chunks::<8>();
    let seen = chunks.iter().fold(class::PLAIN, |seen, &[a, b, c, d, e, f, g, h]| {
        let first = class_of(a) | class_of(b) | class_of(c) | class_of(d);
        seen | first | class_of(e) | class_of(f) | class_of(g) | class_of(h)
    });
    let seen = last.iter().fold(seen, |seen, &byte| seen | class_of(byte));
    seen == class::PLAIN || seen == class::DOT && !has_dot_after_slash(rest)
}

/// Returns `true` if a string contains `/.`. Compares eight pairs of bytes at a time.
fn has_dot_after_slash(text: &[u8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH_BITS: u64 = ONES << 7;

    /// Returns `true` if one of eight bytes is a slash and the byte after it is a dot.
    #[inline]
    fn is_in_chunk(before: [u8; 8], after: [u8; 8]) -> bool {
        let slash = u64::from_ne_bytes(before) ^ (ONES * u64::from(b'/'));
        let dot = u64::from_ne_bytes(after) ^ (ONES * u64::from(b'.'));
        // A byte of the union is zero exactly if that byte is zero in both differences.
        let union = slash | dot;
        union.wrapping_sub(ONES) & !union & HIGH_BITS != 0
    }

    let (Some((_, after)), Some((_, before))) = (text.split_first(), text.split_last()) else { return false };
    let (Some(last_before), Some(last_after)) = (before.last_chunk(), after.last_chunk()) else {
        return before.iter().zip(after).any(|(first, second)| (*first, *second) == (b'/', b'.'));
    };
    let chunks = before.as_chunks::<8>().0.iter().zip(after.as_chunks::<8>().0);
    // The last eight pairs may overlap with the previous ones.
    is_in_chunk(*last_before, *last_after)
        || chunks.into_iter().any(|(before, after)| is_in_chunk(*before, *after))
}

/// Percent-encodes the characters that need it. Returns `None` if there are none.
fn encode(rest: &str) -> Result<Option<String>, LocErrorKind> {
    let bytes = rest.as_bytes();
    let mut encoded: Option<String> = None;
    let mut seen_hash = false;
    for (at, &byte) in bytes.iter().enumerate() {
        let keep = match class_of(byte) {
            class::PLAIN | class::DOT => true,
            class::PERCENT => {
                matches!(bytes[at + 1..], [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
            }
            class::HASH => !std::mem::replace(&mut seen_hash, true),
            class::CONTROL => return Err(LocErrorKind::Character(byte.into())),
            _ => false,
        };
        match &mut encoded {
            Some(encoded) if keep => encoded.push(byte.into()),
            Some(encoded) => push_percent(encoded, byte),
            None if keep => {}
            None => push_percent(encoded.insert(rest[..at].to_owned()), byte),
        }
    }
    // XML does not allow these two characters, not even as escapes such as `&#xFFFE;`.
    match rest.chars().find(|ch| matches!(ch, '\u{FFFE}' | '\u{FFFF}')) {
        Some(ch) => Err(LocErrorKind::Character(ch)),
        None => Ok(encoded),
    }
}

/// Appends a byte as `%XX`.
pub(crate) fn push_percent(out: &mut String, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(HEX[usize::from(byte >> 4)].into());
    out.push(HEX[usize::from(byte & 15)].into());
}

/// Returns `true` for `.` and `..`, even with a dot spelled as `%2e`: URL parsers resolve both spellings.
pub(crate) fn is_dot_segment(segment: &str) -> bool {
    let Some(rest) = strip_dot(segment) else {
        return false;
    };
    rest.is_empty() || strip_dot(rest).is_some_and(str::is_empty)
}

fn strip_dot(text: &str) -> Option<&str> {
    text.strip_prefix('.').or_else(|| text.strip_prefix("%2e")).or_else(|| text.strip_prefix("%2E"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_plain_rest_needs_no_encoding_and_has_no_dot_after_a_slash(rest in "/[a-z./]{0,40}|/[a-z]{0,30}[ -~é]{0,20}") {
            let is_plain = rest.bytes().all(|byte| matches!(class_of(byte), class::PLAIN | class::DOT));
            prop_assert_eq!(is_plain_rest(rest.as_bytes()), is_plain && !rest.contains("/."));
        }
    }
}
