//! The characters that XML allows in a document and in names.

use super::super::token::is_blank;

/// The reason why there is no valid character at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bad {
    /// The text ends within the character.
    Cut,
    /// This number of bytes isn't UTF-8.
    Utf8(usize),
    /// XML forbids the character, which has this length in bytes.
    Forbidden(usize),
}

/// Returns the character at offset `at`, which must be before the end of the text.
pub(super) fn char_at(text: &[u8], at: usize) -> Result<char, Bad> {
    let bytes = &text[at..text.len().min(at + 4)];
    let valid = match std::str::from_utf8(bytes) {
        Ok(valid) => valid,
        Err(error) if error.valid_up_to() > 0 => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(error) => return Err(error.error_len().map_or(Bad::Cut, Bad::Utf8)),
    };
    match valid.chars().next() {
        Some(ch) if is_char(ch) => Ok(ch),
        Some(ch) => Err(Bad::Forbidden(ch.len_utf8())),
        None => Err(Bad::Cut),
    }
}

/// The production `Char`.
pub(in super::super) const fn is_char(ch: char) -> bool {
    matches!(ch, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{1_0000}'..)
}

/// The production `NameStartChar`.
pub(super) const fn is_name_start(ch: char) -> bool {
    matches!(ch,
        'a'..='z' | 'A'..='Z' | '_' | ':'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{1_0000}'..='\u{E_FFFF}')
}

/// The production `NameChar`.
pub(super) const fn is_name(ch: char) -> bool {
    is_name_start(ch)
        || matches!(ch, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// The ASCII characters that are allowed in names.
const NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        table[byte as usize] = is_name(byte as char);
        byte += 1;
    }
    table
};

/// Returns the end of the run of name characters that starts at offset `at`.
pub(super) fn name_end(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        if NAME[byte as usize] {
            at += 1;
        } else if byte >= 0x80
            && let Ok(ch) = char_at(text, at)
            && is_name(ch)
        {
            at += ch.len_utf8();
        } else {
            break;
        }
    }
    at
}

/// Returns `true` if a name can start at offset `at`.
pub(super) fn starts_name(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(byte @ ..0x80) => is_name_start(*byte as char),
        Some(_) => char_at(text, at).is_ok_and(is_name_start),
        None => false,
    }
}

/// Returns the offset of the first byte that isn't white space.
pub(super) fn blank_end(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|&byte| is_blank(byte)) {
        at += 1;
    }
    at
}

/// Starting at offset `at`, returns the offset of the first byte that needs a closer look: `<`, `&`, `]`, a control
/// character, or a byte outside ASCII. Most text contains none of them, so this tests eight bytes at a time.
pub(super) fn plain_end(text: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    // Both functions set the highest bit of each byte that matches. They may also set the highest bit of later bytes.
    const fn is(word: u64, byte: u8) -> u64 {
        less(word ^ (ONES * byte as u64), 1)
    }
    const fn less(word: u64, than: u8) -> u64 {
        word.wrapping_sub(ONES * than as u64) & !word
    }
    loop {
        let Some(bytes) = text.get(at..).and_then(<[u8]>::first_chunk) else {
            while text.get(at).is_some_and(|&byte| is_plain(byte)) {
                at += 1;
            }
            return at;
        };
        let word = u64::from_le_bytes(*bytes);
        let special = is(word, b'<') | is(word, b'&') | is(word, b']') | less(word, b' ') | word;
        match special & HIGHS {
            0 => at += 8,
            bits => {
                at += bits.trailing_zeros() as usize / 8;
                if !is_plain(text[at]) {
                    return at;
                }
                at += 1;
            }
        }
    }
}

const fn is_plain(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=0x7F) && !matches!(byte, b'<' | b'&' | b']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_special_byte_is_found_at_every_offset() {
        let special = |byte: u8| !is_plain(byte);
        for byte in 0..=u8::MAX {
            for offset in 0..20 {
                let mut text = [b'a'; 24];
                text[offset] = byte;
                text[22] = b'<';
                let expected = text.iter().position(|&byte| special(byte)).unwrap();
                assert_eq!(plain_end(&text, 0), expected, "byte {byte} at {offset}");
            }
        }
    }

    #[test]
    fn characters_outside_utf_8_or_xml_are_told_apart() {
        assert_eq!(char_at("ü".as_bytes(), 0), Ok('ü'));
        assert_eq!(char_at(b"\xFC<", 0), Err(Bad::Utf8(1)));
        assert_eq!(char_at(b"\xC0\x80", 0), Err(Bad::Utf8(1)), "an overlong form");
        assert_eq!(char_at(b"\xED\xA0\x80", 0), Err(Bad::Utf8(1)), "a surrogate");
        assert_eq!(char_at(b"\xE2\x82", 0), Err(Bad::Cut));
        assert_eq!(char_at(b"\x0B", 0), Err(Bad::Forbidden(1)));
        assert_eq!(char_at("\u{FFFE}".as_bytes(), 0), Err(Bad::Forbidden(3)));
        assert_eq!(char_at("\u{10_FFFF}".as_bytes(), 0), Ok('\u{10_FFFF}'));
    }

    #[test]
    fn names_are_those_of_the_fifth_edition() {
        for (text, end) in [("loc>", 3), ("a-1.b x", 5), ("é·x/", 5), ("日本=", 6), ("a×b", 1), ("", 0)]
        {
            assert_eq!(name_end(text.as_bytes(), 0), end, "{text}");
        }
        for (text, starts) in
            [("_", true), (":", true), ("-", false), ("1", false), ("·", false), ("é", true)]
        {
            assert_eq!(starts_name(text.as_bytes(), 0), starts, "{text}");
        }
    }
}
