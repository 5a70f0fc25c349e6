//! Decodes text: references, line ends, and white space around values.

use std::borrow::Cow;
use std::str;

use memchr::{memchr, memchr_iter, memchr2, memchr3};

use super::well_formed::is_char;
use crate::rule::Rule;

/// The first defect of each kind in a piece of text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flaws {
    /// The start and length of the first unescaped `&` in the raw text.
    pub(super) ampersand: Option<(usize, usize)>,
    pub(super) entity: Option<(usize, usize)>,
    pub(super) character: Option<(usize, usize)>,
    pub(super) utf8: Option<(usize, usize)>,
}

impl Flaws {
    /// Adds the defects in a part of the text. The part starts at offset `at`.
    fn absorb(&mut self, part: Self, at: usize) {
        let place = |(start, len)| (start + at, len);
        self.ampersand = self.ampersand.or(part.ampersand.map(place));
        self.entity = self.entity.or(part.entity.map(place));
        self.character = self.character.or(part.character.map(place));
        self.utf8 = self.utf8.or(part.utf8.map(place));
    }

    /// Returns `true` if there are any defects.
    pub(super) const fn any(&self) -> bool {
        self.ampersand.is_some() || self.entity.is_some() || self.character.is_some() || self.utf8.is_some()
    }

    pub(super) fn each(&self) -> impl Iterator<Item = (Rule, (usize, usize))> + use<> {
        let rules = [
            (Rule::AmpersandRaw, self.ampersand),
            (Rule::EntityUnknown, self.entity),
            (Rule::CharacterForbidden, self.character),
            (Rule::Utf8Invalid, self.utf8),
        ];
        rules.into_iter().filter_map(|(rule, place)| place.map(|place| (rule, place)))
    }
}

/// Decodes references and line ends. Borrows the text if there is nothing to decode.
///
/// Only numeric references and the five predefined entities are decoded. Anything else after an `&` stays unchanged.
/// Bytes that aren't UTF-8 become U+FFFD.
pub(super) fn decode<'t>(raw: &'t [u8], is_attribute: bool, flaws: &mut Flaws) -> Cow<'t, str> {
    decode_in(&mut String::new(), raw, is_attribute, flaws)
}

/// Does the same as [`decode`], but reuses the allocation of `room` if decoding changes the text.
pub(super) fn decode_in<'t>(
    room: &mut String,
    raw: &'t [u8],
    is_attribute: bool,
    flaws: &mut Flaws,
) -> Cow<'t, str> {
    let Ok(text) = str::from_utf8(raw) else {
        return Cow::Owned(decode_bytes(raw, is_attribute, flaws, |out, _| out.push('\u{FFFD}')));
    };
    if is_simple(raw) {
        return Cow::Borrowed(text);
    }
    check_characters(text, flaws);
    let is_plain =
        memchr2(b'&', b'\r', raw).is_none() && !(is_attribute && memchr2(b'\n', b'\t', raw).is_some());
    if is_plain {
        return Cow::Borrowed(text);
    }
    let mut out = std::mem::take(room);
    out.clear();
    out.reserve(text.len());
    decode_into(&mut out, text, is_attribute, flaws);
    Cow::Owned(out)
}

/// Returns `true` for printable ASCII without `&`, which doesn't need to be decoded. Most text is like this. All bytes
/// are tested without branches, so that the compiler can vectorise the test.
fn is_simple(raw: &[u8]) -> bool {
    #[allow(clippy::needless_bitwise_bool)] // lazy operators would be branches
    raw.iter().fold(true, |all, &byte| all & (byte.wrapping_sub(b' ') <= b'~' - b' ') & (byte != b'&'))
}

/// Decodes text that isn't valid UTF-8. `replace` writes a replacement for each invalid byte sequence.
pub(super) fn decode_bytes(
    raw: &[u8],
    is_attribute: bool,
    flaws: &mut Flaws,
    replace: impl Fn(&mut String, &[u8]),
) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut at = 0;
    for chunk in raw.utf8_chunks() {
        let mut found = Flaws::default();
        check_characters(chunk.valid(), &mut found);
        decode_into(&mut out, chunk.valid(), is_attribute, &mut found);
        flaws.absorb(found, at);
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            flaws.utf8.get_or_insert((at, chunk.invalid().len()));
            replace(&mut out, chunk.invalid());
            at += chunk.invalid().len();
        }
    }
    out
}

/// Decodes the text and appends the result to `out`.
pub(super) fn decode_into(out: &mut String, text: &str, is_attribute: bool, flaws: &mut Flaws) {
    let mut rest = text;
    while let Some(at) = memchr2(b'&', b'\r', rest.as_bytes()) {
        push_plain(out, &rest[..at], is_attribute);
        let here = text.len() - rest.len() + at;
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix('\r') {
            // XML parsers convert all kinds of line ends to a line feed.
            rest = after.strip_prefix('\n').unwrap_or(after);
            out.push(if is_attribute { ' ' } else { '\n' });
            continue;
        }
        match reference(rest) {
            Reference::Character(ch, len) => {
                if !is_char(ch) {
                    flaws.character.get_or_insert((here, len));
                }
                out.push(ch);
                rest = &rest[len..];
            }
            Reference::Forbidden(len) => {
                flaws.character.get_or_insert((here, len));
                out.push('\u{FFFD}');
                rest = &rest[len..];
            }
            Reference::Unknown(len) => {
                flaws.entity.get_or_insert((here, len));
                out.push('&');
                rest = &rest[1..];
            }
            Reference::None => {
                flaws.ampersand.get_or_insert((here, 1));
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    push_plain(out, rest, is_attribute);
}

fn push_plain(out: &mut String, text: &str, is_attribute: bool) {
    if is_attribute {
        out.extend(text.chars().map(|ch| if matches!(ch, '\n' | '\t') { ' ' } else { ch }));
    } else {
        out.push_str(text);
    }
}

/// The meaning of an `&` and of the text after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// A reference to a character, with its length.
    Character(char, usize),
    /// A numeric reference to a forbidden character, with its length.
    Forbidden(usize),
    /// A reference to an entity that XML doesn't predefine, with its length.
    Unknown(usize),
    /// No reference: the `&` should have been escaped.
    None,
}

/// Reads the reference at the start of the text.
pub(super) fn reference(text: &str) -> Reference {
    /// The maximum length of a reference in bytes. Real references aren't longer.
    const LONGEST: usize = 40;
    let bytes = text.as_bytes();
    let window = &bytes[..bytes.len().min(LONGEST)];
    let Some(end) = memchr(b';', window) else {
        return Reference::None;
    };
    let (name, len) = (&bytes[1..end], end + 1);
    let ch = match name {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        [b'#', digits @ ..] => {
            return match number(digits).map(char::from_u32) {
                Some(Some(ch)) if is_char(ch) => Reference::Character(ch, len),
                Some(_) => Reference::Forbidden(len),
                None => Reference::None,
            };
        }
        [first, ..] if first.is_ascii_alphabetic() && name.iter().all(u8::is_ascii_alphanumeric) => {
            return Reference::Unknown(len);
        }
        _ => return Reference::None,
    };
    Reference::Character(ch, len)
}

/// Returns the number in a numeric reference, or `None` if it doesn't contain one.
pub(super) fn number(digits: &[u8]) -> Option<u32> {
    let (digits, radix) = match digits {
        [b'x' | b'X', digits @ ..] => (digits, 16),
        digits => (digits, 10),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0_u32;
    for &digit in digits {
        let digit = char::from(digit).to_digit(radix)?;
        value = value.saturating_mul(radix).saturating_add(digit);
    }
    Some(value)
}

/// Records the first character that XML doesn't allow.
fn check_characters(text: &str, flaws: &mut Flaws) {
    // XML forbids control characters, U+FFFE and U+FFFF. In UTF-8, the last two start with the byte 0xEF. All bytes are
    // tested without branches, so that the compiler can vectorise the test.
    #[allow(clippy::needless_bitwise_bool)] // lazy operators would be branches
    let is_suspicious =
        |byte: u8| ((byte < b' ') & (byte != b'\t') & (byte != b'\n') & (byte != b'\r')) | (byte == 0xEF);
    if flaws.character.is_none()
        && text.bytes().fold(false, |found, byte| found | is_suspicious(byte))
        && let Some((at, ch)) = text.char_indices().find(|&(_, ch)| !is_char(ch))
    {
        flaws.character = Some((at, ch.len_utf8()));
    }
}

/// Trims XML white space, and also the no-break spaces that editors leave behind.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|ch: char| ch.is_whitespace() || ch == '\u{FEFF}')
}

/// Returns `true` if a URL contains ASCII characters that are not allowed in a URI, or a `%` that isn't followed by two
/// hexadecimal digits.
///
/// Characters outside ASCII don't need encoding: the protocol also allows IRIs, which contain them.
pub(crate) fn needs_encoding(url: &str) -> bool {
    let bytes = url.as_bytes();
    let is_bare = |at: usize| {
        bytes[at] == b'%'
            && !bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
    };
    memchr3(b' ', b'"', b'<', bytes).is_some()
        || bytes.iter().any(|byte| matches!(byte, b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}'))
        || memchr_iter(b'%', bytes).any(is_bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(raw: &str) -> (String, Vec<Rule>) {
        let mut flaws = Flaws::default();
        let text = decode(raw.as_bytes(), false, &mut flaws).into_owned();
        (text, flaws.each().map(|(rule, _)| rule).collect())
    }

    #[test]
    fn predefined_entities_and_numbers_are_decoded_once() {
        assert_eq!(decoded("&lt;&gt;&amp;&quot;&apos;"), ("<>&\"'".into(), vec![]));
        assert_eq!(decoded("&#65;&#x42;&#x1F600;"), ("AB😀".into(), vec![]));
        assert_eq!(decoded("?a&amp;amp;b"), ("?a&amp;b".into(), vec![]));
        assert_eq!(decoded("a\r\nb\rc"), ("a\nb\nc".into(), vec![]));
    }

    #[test]
    fn other_references_stay_and_are_noted() {
        assert_eq!(decoded("?a=1&copy=1"), ("?a=1&copy=1".into(), vec![Rule::AmpersandRaw]));
        assert_eq!(decoded("a&nbsp;b"), ("a&nbsp;b".into(), vec![Rule::EntityUnknown]));
        assert_eq!(decoded("&#0;"), ("\u{FFFD}".into(), vec![Rule::CharacterForbidden]));
        assert_eq!(decoded("&#xD83D;&#xDE00;"), ("\u{FFFD}\u{FFFD}".into(), vec![Rule::CharacterForbidden]));
        assert_eq!(decoded("a\u{1}"), ("a\u{1}".into(), vec![Rule::CharacterForbidden]));
        assert_eq!(decoded("&#99999999999;"), ("\u{FFFD}".into(), vec![Rule::CharacterForbidden]));
    }

    #[test]
    fn characters_that_no_uri_has() {
        for url in [
            "https://a.example/a b",
            "https://a.example/%zz",
            "https://a.example/%2",
            "https://a.example/{x}",
        ] {
            assert!(needs_encoding(url), "{url}");
        }
        for url in ["https://a.example/%C3%bc", "https://a.example/ü", "https://a.example/a?b=[c]~'"] {
            assert!(!needs_encoding(url), "{url}");
        }
    }
}
