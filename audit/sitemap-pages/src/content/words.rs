//! A block's words, separated by single spaces.

use super::html::unescape_text;

/// Collects a block's words.
///
/// Most text is plain: it contains no character references, and its words are separated by single spaces. One
/// vectorised pass detects this, and plain text is then copied as a whole.
#[derive(Debug)]
pub(super) struct Words {
    text: Vec<u8>,
    ends_in_space: bool,
    may_have_digits: bool,
}

impl Words {
    /// Starts without words.
    pub(super) fn new() -> Self {
        Self { text: Vec::with_capacity(1024), ends_in_space: true, may_have_digits: false }
    }

    /// Removes all words.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends_in_space = true;
        self.may_have_digits = false;
    }

    /// Returns `true` if there are no words, even if a space was added.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns `false` if no word contains a digit.
    pub(super) fn may_have_digits(&self) -> bool {
        self.may_have_digits
    }

    /// Returns the words.
    pub(super) fn text(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// Removes the trailing space. Don't add words after this without calling [`clear`](Self::clear).
    pub(super) fn end(&mut self) {
        if self.ends_in_space {
            self.text.pop();
        }
    }

    /// Separates the previous words from the next ones.
    pub(super) fn space(&mut self) {
        if !self.ends_in_space {
            self.text.push(b' ');
            self.ends_in_space = true;
        }
    }

    /// Adds text from the page. Returns `false` if it is only white space.
    pub(super) fn push(&mut self, text: &[u8]) -> bool {
        let is_word = |byte: &u8| !is_space(*byte);
        let (Some(start), Some(end)) = (text.iter().position(is_word), text.iter().rposition(is_word)) else {
            if !text.is_empty() {
                self.space();
            }
            return false;
        };
        let words = &text[start..=end];
        let found = scan(words);
        if found & SPECIAL != 0 {
            return self.push_special(text);
        }
        self.may_have_digits |= found & DIGIT != 0;
        if start > 0 {
            self.space();
        }
        if found & DOUBLE == 0 {
            let at = self.text.len();
            self.text.extend_from_slice(words);
            if found & CONTROL != 0 {
                self.text[at..].iter_mut().filter(|byte| is_space(**byte)).for_each(|byte| *byte = b' ');
            }
        } else {
            self.push_each(words);
        }
        self.ends_in_space = false;
        if end + 1 < text.len() {
            self.space();
        }
        true
    }

    /// Adds text that contains character references or special bytes.
    fn push_special(&mut self, text: &[u8]) -> bool {
        let text = unescape_text(text);
        if text.iter().all(|&byte| is_space(byte)) {
            if !text.is_empty() {
                self.space();
            }
            return false;
        }
        self.may_have_digits |= text.iter().any(|byte| byte & 0xf0 == b'0');
        // NUL, which browsers drop, or the first byte of a no-break space.
        if memchr::memchr2(0, 0xc2, &text).is_none() {
            self.push_each(&text);
        } else {
            let text = String::from_utf8_lossy(&text).replace('\0', "").replace('\u{a0}', " ");
            self.push_each(text.as_bytes());
        }
        true
    }

    /// Adds text piece by piece, with each run of white space replaced by one space. The loop has no branches, because
    /// word boundaries are unpredictable.
    fn push_each(&mut self, text: &[u8]) {
        let mut was_space = self.ends_in_space;
        for piece in text.chunks(PIECE) {
            let (mut copy, mut length) = ([0; PIECE], 0);
            for &byte in piece {
                let is_space = is_space(byte);
                copy[length % PIECE] = if is_space { b' ' } else { byte };
                length += usize::from(!(is_space & was_space));
                was_space = is_space;
            }
            self.text.extend_from_slice(&copy[..length]);
        }
        self.ends_in_space = was_space;
    }
}

/// The number of bytes copied at once.
const PIECE: usize = 32;

/// Two adjacent bytes that may be white space.
const DOUBLE: u8 = 1;
/// A byte that may be white space other than a space.
const CONTROL: u8 = 2;
/// A byte that may be a digit.
const DIGIT: u8 = 4;
/// The start of a character reference, NUL, or the first byte of a no-break space.
const SPECIAL: u8 = 8;

/// Returns what a text contains, as a set of bits.
fn scan(text: &[u8]) -> u8 {
    let Some(first) = text.first() else { return 0 };
    match text.len() {
        ..=8 => {
            let (mut found, mut before) = (0, 0);
            for &byte in text {
                let class = CLASSES[byte as usize];
                found |= class & (before | !DOUBLE);
                before = class;
            }
            found
        }
        9..=16 => CLASSES[*first as usize] & !DOUBLE | scan_windows::<8>(text),
        _ => CLASSES[*first as usize] & !DOUBLE | scan_windows::<16>(text),
    }
}

/// The bits of each byte, with [`DOUBLE`] for bytes that may be white space.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte <= b' ' {
        classes[byte as usize] = if byte < b' ' { DOUBLE | CONTROL } else { DOUBLE };
        byte += 1;
    }
    let mut digit = b'0';
    while digit & 0xf0 == b'0' {
        classes[digit as usize] = DIGIT;
        digit += 1;
    }
    classes[0] |= SPECIAL;
    classes[b'&' as usize] = SPECIAL;
    classes[0xc2] = SPECIAL;
    classes
};

/// Scans all bytes of a text after the first. The last window overlaps the one before it, so that no bytes are left
/// over.
fn scan_windows<const N: usize>(text: &[u8]) -> u8 {
    let (befores, bytes) = (&text[..text.len() - 1], &text[1..]);
    let mut lowest = Lowest::<N>::new();
    for (before, bytes) in befores.chunks_exact(N).zip(bytes.chunks_exact(N)) {
        if let (Some(before), Some(bytes)) = (before.first_chunk(), bytes.first_chunk()) {
            lowest.look_at(before, bytes);
        }
    }
    if let (Some(before), Some(bytes)) = (befores.last_chunk(), bytes.last_chunk()) {
        lowest.look_at(before, bytes);
    }
    lowest.found()
}

/// The lowest value so far at each position in a window. Afterwards, these reveal what the text contained. Each takes
/// one or two vector instructions, fewer than comparisons would.
struct Lowest<const N: usize> {
    byte: [u8; N],
    /// The higher of two adjacent bytes.
    of_two: [u8; N],
    from_digit: [u8; N],
    from_reference: [u8; N],
    from_no_break: [u8; N],
}

impl<const N: usize> Lowest<N> {
    const fn new() -> Self {
        let all = [u8::MAX; N];
        Self { byte: all, of_two: all, from_digit: all, from_reference: all, from_no_break: all }
    }

    /// Processes bytes together with the bytes right before them. There are no branches, so that the compiler can
    /// vectorise calls.
    #[inline]
    fn look_at(&mut self, before: &[u8; N], bytes: &[u8; N]) {
        for at in 0..N {
            let byte = bytes[at];
            self.byte[at] = self.byte[at].min(byte);
            self.of_two[at] = self.of_two[at].min(before[at].max(byte));
            self.from_digit[at] = self.from_digit[at].min(byte ^ b'0');
            self.from_reference[at] = self.from_reference[at].min(byte ^ b'&');
            self.from_no_break[at] = self.from_no_break[at].min(byte ^ 0xc2);
        }
    }

    /// Returns what was found, as a set of bits. Like the loop, it has no branches.
    fn found(&self) -> u8 {
        let bit = |is: bool, bit: u8| u8::from(is).wrapping_neg() & bit;
        let mut found = 0;
        for at in 0..N {
            found |= bit(self.of_two[at] <= b' ', DOUBLE)
                | bit(self.byte[at] < b' ', CONTROL)
                | bit(self.from_digit[at] < 0x10, DIGIT)
                | bit(self.byte[at] == 0, SPECIAL)
                | bit(self.from_reference[at] == 0, SPECIAL)
                | bit(self.from_no_break[at] == 0, SPECIAL);
        }
        found
    }
}

fn is_space(byte: u8) -> bool {
    IS_SPACE[byte as usize]
}

/// Whether each byte is white space.
const IS_SPACE: [bool; 256] = {
    let mut is_space = [false; 256];
    is_space[b' ' as usize] = true;
    is_space[b'\n' as usize] = true;
    is_space[b'\r' as usize] = true;
    is_space[b'\t' as usize] = true;
    is_space[0x0c] = true;
    is_space
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Words;

    const PIECES: [&str; 20] = [
        "a",
        "oak",
        "planting",
        "a sapling of the orchard",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "\x0c",
        "\x0b",
        "\x01",
        "0",
        "2026-11-23",
        "é",
        "\u{a0}",
        "&nbsp;",
        "&#32;",
        "&amp",
        "\0",
    ];

    /// A reference implementation of [`Words`] that handles one text after another in the simplest way.
    fn plainly(texts: &[String]) -> (String, Vec<bool>) {
        let is_space = |letter: char| matches!(letter, ' ' | '\n' | '\r' | '\t' | '\x0c');
        let (mut all, mut have_words) = (String::new(), Vec::new());
        for text in texts {
            let text = String::from_utf8(super::unescape_text(text.as_bytes()).into_owned()).unwrap();
            have_words.push(!text.chars().all(is_space));
            all.push_str(&text.replace('\0', "").replace('\u{a0}', " "));
        }
        let words: Vec<_> = all.split(is_space).filter(|word| !word.is_empty()).collect();
        (words.join(" "), have_words)
    }

    proptest! {
        #[test]
        fn words_are_those_of_the_plain_way(
            texts in prop::collection::vec(prop::collection::vec(0..PIECES.len(), 0..24), 1..4),
        ) {
            let text = |pieces: Vec<usize>| pieces.into_iter().map(|piece| PIECES[piece]).collect::<String>();
            let texts: Vec<String> = texts.into_iter().map(text).collect();
            let mut words = Words::new();
            let have_words: Vec<_> = texts.iter().map(|text| words.push(text.as_bytes())).collect();
            let may_have_digits = words.may_have_digits();
            words.end();
            let found = String::from_utf8(words.text().clone()).unwrap();
            let (expected, have_expected) = plainly(&texts);
            prop_assert!(may_have_digits || !found.contains(|letter: char| letter.is_ascii_digit()));
            prop_assert_eq!((found, have_words), (expected, have_expected));
        }
    }

    #[test]
    fn texts_of_each_length() {
        for length in 1..100 {
            for at in 0..length {
                let mut text = vec![b'x'; length];
                text[at] = b'\n';
                let expected = String::from_utf8(text.clone()).unwrap().replace('\n', " ");
                let mut words = Words::new();
                words.push(&text);
                words.end();
                assert_eq!(String::from_utf8_lossy(words.text()), expected.trim(), "{length} {at}");
                assert!(!words.may_have_digits());
                text[at] = b'7';
                words.push(&text);
                assert!(words.may_have_digits());
            }
        }
    }
}
