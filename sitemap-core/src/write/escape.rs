//! XML escaping.

// These functions run for every page. Inlining them lets the compiler keep values in registers instead of memory.
#![allow(clippy::inline_always)]

use super::buffer::{Buffer, Window};
use crate::value::Loc;

/// Writes a URL.
///
/// Escapes `&` and `'`. The protocol also requires escapes for `<`, `>` and `"`, but these never occur, because a
/// [`Loc`] percent-encodes them.
///
/// Source: [sitemaps.org, entity escaping](https://www.sitemaps.org/protocol.html#escaping).
#[inline(always)]
pub(super) fn put_loc<'b>(out: Window<'b>, loc: &Loc<'_>) -> Window<'b> {
    let text = loc.as_str().as_bytes();
    match loc.specials().places() {
        Some(places) => put_known(out, text, places),
        None => put_searched(out, text),
    }
}

/// Writes a URL whose special bytes, `&` and `'`, are at the offsets `places`.
#[inline(always)]
fn put_known<'b>(mut out: Window<'b>, text: &[u8], places: &[u16]) -> Window<'b> {
    let mut start = 0;
    for &place in places {
        let place = usize::from(place);
        put_plain(&mut out, text, start, place);
        put_escape(&mut out, &text[place..]);
        start = place + 1;
    }
    put_plain(&mut out, text, start, text.len());
    out
}

#[inline]
fn put_plain(out: &mut Window<'_>, text: &[u8], start: usize, end: usize) {
    out.put_slice(&text[start..end]);
}

/// Writes a URL whose special bytes, `&` and `'`, are at unknown offsets.
///
/// Checks and copies sixteen bytes at a time. If one of them is special, keeps only the bytes before it and then writes
/// the escape. A separate search for special bytes would be slower, because URLs are short.
fn put_searched<'b>(out: Window<'b>, whole: &[u8]) -> Window<'b> {
    // The compiler would keep the parameter `out` in memory, but can keep this new window in registers.
    let mut out = out.taken();
    let mut text = whole;
    while let Some((chunk, rest)) = text.split_first_chunk() {
        let plain = plain_bytes(u128::from_le_bytes(*chunk));
        if plain < chunk.len() {
            out.put_first(chunk, plain);
            text = put_escape(&mut out, &text[plain..]);
        } else {
            out.put(chunk);
            text = rest;
        }
    }
    match whole.last_chunk() {
        Some(last) => put_end(&mut out, u128::from_le_bytes(*last), text.len()),
        None => {
            for &byte in text {
                put_end(&mut out, u128::from(byte) << 120, 1);
            }
        }
    }
    out
}

/// The length of `&apos;`, the longest escape in a URL.
const LONGEST_ESCAPE: usize = 6;

/// Returns the number of bytes to reserve for a `url` element without extensions. It is enough even if every byte of
/// the URL is escaped.
pub(super) fn room_for(loc: &Loc<'_>) -> usize {
    const ROOM: usize = 256;

    ROOM + loc.as_str().len() * LONGEST_ESCAPE
}

/// Writes the last `len` of sixteen bytes, with escapes. `word` contains the bytes in little-endian order, so the last
/// of them is its highest byte.
#[inline]
fn put_end(out: &mut Window<'_>, word: u128, mut len: usize) {
    while len > 0 {
        let rest = word >> (128 - 8 * len);
        let plain = plain_bytes(rest).min(len);
        out.put_first(&rest.to_le_bytes(), plain);
        len -= plain;
        if len > 0 {
            put_escape(out, &[(rest >> (8 * plain)).to_le_bytes()[0]]);
            len -= 1;
        }
    }
}

/// Writes the escape for the first byte, which must be `&` or `'`, and returns the remaining bytes.
#[inline]
fn put_escape<'t>(out: &mut Window<'_>, text: &'t [u8]) -> &'t [u8] {
    match text {
        [b'&', rest @ ..] => {
            out.put(b"&amp;");
            rest
        }
        [_, rest @ ..] => {
            out.put(b"&apos;");
            rest
        }
        [] => text,
    }
}

/// Returns the number of bytes before the first special byte (`&` or `'`) among sixteen bytes.
#[inline]
const fn plain_bytes(word: u128) -> usize {
    const ONES: u128 = u128::from_ne_bytes([1; 16]);
    // `&` and `'` differ only in the lowest bit. With this bit set, both equal `'`, so the XOR makes both zero. The
    // subtraction then sets the high bit of each zero byte. A borrow can also set the high bit of a later byte, but
    // only the first high bit is used.
    let zero_if_special = (word | ONES) ^ (ONES * b'\'' as u128);
    let high_bits = zero_if_special.wrapping_sub(ONES) & !zero_if_special & (ONES << 7);
    high_bits.trailing_zeros() as usize / 8
}

/// Appends text as the content of an element.
///
/// Carriage returns are escaped, because XML parsers turn an unescaped carriage return into a line feed.
pub(super) fn push_text(out: &mut Buffer, text: &str) {
    push_escaped(out, text, |byte| escape_of(byte).filter(|_| !matches!(byte, b'\t' | b'\n')));
}

/// Appends the value of an attribute. Tabs and line endings are escaped, because XML parsers would turn them into
/// spaces.
pub(super) fn push_attribute(out: &mut Buffer, text: &str) {
    push_escaped(out, text, escape_of);
}

fn push_escaped(out: &mut Buffer, text: &str, escape: impl Fn(u8) -> Option<&'static str>) {
    let mut rest = text.as_bytes();
    let found = |rest: &[u8]| rest.iter().enumerate().find_map(|(at, &byte)| Some((at, escape(byte)?)));
    while let Some((at, escape)) = found(rest) {
        out.append(&rest[..at]);
        out.append(escape.as_bytes());
        rest = &rest[at + 1..];
    }
    out.append(rest);
}

/// Returns an escaped attribute value, as written by [`push_attribute`].
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match u8::try_from(c).ok().and_then(escape_of) {
            Some(escape) => out.push_str(escape),
            None => out.push(c),
        }
    }
    out
}

/// Returns the escape for a byte, or `None` if it needs none. The protocol requires escapes for five characters. Tabs
/// and line endings also need escapes, because XML parsers replace them in attributes.
///
/// Source: [XML 1.0, attribute-value normalization](https://www.w3.org/TR/xml/#AVNormalize).
const fn escape_of(byte: u8) -> Option<&'static str> {
    Some(match byte {
        b'&' => "&amp;",
        b'\'' => "&apos;",
        b'"' => "&quot;",
        b'<' => "&lt;",
        b'>' => "&gt;",
        b'\t' => "&#9;",
        b'\n' => "&#10;",
        b'\r' => "&#13;",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::value::Specials;

    fn written(loc: &Loc<'_>) -> String {
        let mut buffer = Buffer::default();
        let out = buffer.window(loc.as_str().len() * LONGEST_ESCAPE);
        put_loc(out, loc).close();
        str::from_utf8(buffer.written()).unwrap().to_owned()
    }

    /// Returns a URL with escapes, as it is written. Also checks that the result does not depend on whether the
    /// positions of `&` and `'` are known.
    fn escaped(url: &str) -> String {
        let searched = Loc::parse(url).unwrap();
        let text = searched.as_str();
        let known = Loc::from_parts(text.into(), Specials::of(text)).unwrap();
        assert_eq!(written(&searched), written(&known));
        written(&searched)
    }

    #[test]
    fn the_protocols_own_example() {
        assert_eq!(
            escaped("http://www.example.com/ümlat.html&q=name"),
            "http://www.example.com/%C3%BCmlat.html&amp;q=name"
        );
        assert_eq!(
            escaped("http://www.example.com/%FCmlat.html&q=name"),
            "http://www.example.com/%FCmlat.html&amp;q=name"
        );
    }

    #[test]
    fn none_of_the_five_characters_is_left() {
        assert_eq!(
            escaped(r#"https://example.com/it's?a=<b>&c="d""#),
            "https://example.com/it&apos;s?a=%3Cb%3E&amp;c=%22d%22"
        );
    }

    #[test]
    fn what_looks_escaped_is_text_and_escaped_once() {
        assert_eq!(escaped("https://example.com/?a&amp;b"), "https://example.com/?a&amp;amp;b");
    }

    fn pushed(push: fn(&mut Buffer, &str), text: &str) -> String {
        let mut buffer = Buffer::default();
        push(&mut buffer, text);
        str::from_utf8(buffer.written()).unwrap().to_owned()
    }

    #[test]
    fn texts_keep_their_line_ends_and_attributes_all_white_space() {
        let text = "<a href='x' title=\"y\">ü &amp;\t\r\n]]>";
        assert_eq!(
            pushed(push_text, text),
            "&lt;a href=&apos;x&apos; title=&quot;y&quot;&gt;ü &amp;amp;\t&#13;\n]]&gt;"
        );
        let attribute = "&lt;a href=&apos;x&apos; title=&quot;y&quot;&gt;ü &amp;amp;&#9;&#13;&#10;]]&gt;";
        assert_eq!(pushed(push_attribute, text), attribute);
        assert_eq!(super::escaped(text), attribute);
        assert_eq!(pushed(push_text, ""), "");
    }

    #[test]
    fn specials_at_both_ends_and_side_by_side() {
        assert_eq!(escaped("https://example.com/&&''&"), "https://example.com/&amp;&amp;&apos;&apos;&amp;");
    }

    proptest! {
        #[test]
        fn knowing_the_special_characters_changes_nothing(path in "[a&'=]{0,8}[a-z0-9/._~%-]{0,40}[a&'=]{0,40}") {
            let url = format!("https://example.com/-{path}");
            prop_assume!(Loc::parse(url.as_str()).is_ok());
            let plain = Loc::parse(url.as_str()).unwrap().to_string();
            prop_assert_eq!(escaped(&url), plain.replace('&', "&amp;").replace('\'', "&apos;"));
        }
    }
}
