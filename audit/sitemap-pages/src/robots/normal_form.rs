//! The normal form in which patterns and URLs are compared.
//!
//! In normal form, non-ASCII octets are escaped, the hex digits of escapes are in upper case, and unreserved characters
//! (letters, digits, `-`, `.`, `_` and `~`) are not escaped. A literal `*` or `$` is escaped, so an unescaped `*` or
//! `$` is always special. All other characters stay as they are, because RFC 3986 lets servers distinguish `/` from
//! `%2F`.

use std::borrow::Cow;

/// An octet of a pattern or a URL.
struct Octet<'t> {
    /// The octet after decoding.
    value: u8,
    /// Whether the octet is escaped in the normal form.
    is_escaped: bool,
    /// The octet as written: one byte, or an escape of three bytes.
    written: &'t [u8],
}

impl Octet<'_> {
    fn push_to(&self, normal: &mut Vec<u8>) {
        if self.is_escaped {
            push_escaped(self.value, normal);
        } else {
            normal.push(self.value);
        }
    }

    fn is_normal(&self) -> bool {
        match self.written {
            [b'*' | b'$'] => false,
            [_] => !self.is_escaped,
            escape => self.is_escaped && !escape.iter().any(u8::is_ascii_lowercase),
        }
    }
}

fn octets(mut text: &[u8]) -> impl Iterator<Item = Octet<'_>> {
    std::iter::from_fn(move || {
        let escape = match text {
            [b'%', high, low, ..] => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        let (value, is_escaped) = match escape {
            Some(value) => (value, !is_unreserved(value)),
            None => (*text.first()?, !text[0].is_ascii()),
        };
        let (written, rest) = text.split_at(if escape.is_some() { 3 } else { 1 });
        text = rest;
        Some(Octet { value, is_escaped, written })
    })
}

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

const fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

fn push_escaped(octet: u8, normal: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    normal.extend([b'%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
}

/// Appends a pattern in normal form. Returns its length in octets, which decides which of two patterns is longer.
///
/// For this length, each remaining escape counts as three octets, and any other character as one.
pub(super) fn push_pattern(written: &[u8], normal: &mut Vec<u8>) -> u32 {
    let mut len = 0;
    let start = normal.len();
    let mut octets = octets(written).peekable();
    while let Some(octet) = octets.next() {
        len += if octet.is_escaped { 3 } else { 1 };
        match octet.written {
            // Several stars in a row match the same paths as one.
            b"*" if normal[start..].ends_with(b"*") => {}
            b"$" if octets.peek().is_some() => push_escaped(b'$', normal),
            _ => octet.push_to(normal),
        }
    }
    len
}

/// Returns a URL's path and query in normal form. Doesn't copy them if they are already in this form.
pub(super) fn path_of(url: &str) -> Cow<'_, [u8]> {
    let path = written_path(url);
    if path.starts_with('/') && octets(path.as_bytes()).all(|octet| octet.is_normal()) {
        return Cow::Borrowed(path.as_bytes());
    }
    let mut normal = Vec::with_capacity(path.len() + 8);
    if !path.starts_with('/') {
        normal.push(b'/');
    }
    for octet in octets(path.as_bytes()) {
        match octet.written {
            b"*" | b"$" => push_escaped(octet.value, &mut normal),
            _ => octet.push_to(&mut normal),
        }
    }
    Cow::Owned(normal)
}

/// Returns a URL's path and query as written. The result is empty or starts with `/`, `?` or `;`.
///
/// The URL may lack its scheme, or both scheme and host.
fn written_path(url: &str) -> &str {
    let url = url.split('#').next().unwrap_or_default();
    let url = url.strip_prefix("//").unwrap_or(url);
    let path_start = |url: &str| url.find(['/', '?', ';']).unwrap_or(url.len());
    let after_scheme = match url.find("://") {
        Some(colon) if colon < path_start(url) => &url[colon + 3..],
        _ => url,
    };
    &after_scheme[path_start(after_scheme)..]
}

#[cfg(test)]
#[path = "normal_tests.rs"]
mod tests;
