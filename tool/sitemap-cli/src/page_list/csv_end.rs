//! Detects how a CSV file ends. The parser accepts a file that ends within quotes, but such a file was probably cut off
//! while it was copied.

use memchr::{memchr, memchr_iter};

/// The delimiter of CSV.
pub(crate) const COMMA: u8 = b',';

/// The delimiter of TSV.
pub(crate) const TAB: u8 = b'\t';

/// Describes how the input that has been read so far ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The end hasn't been reached yet.
    NotReached,
    /// The last row ends with a line break.
    WithBreak,
    /// No line break follows the last row.
    WithoutBreak,
    /// The last value has no closing quote.
    InQuotes {
        /// The line with the opening quote.
        opened: u64,
    },
}

/// Tracks the quotes of a CSV file by the parser's rules: a quote opens a quoted value only at the start of a value,
/// and two quotes within a quoted value stand for one.
pub(super) struct CsvEnd {
    delimiter: u8,
    place: Place,
    bytes: u64,
    line: u64,
    opened: u64,
    has_break: bool,
    is_reached: bool,
}

/// The position of the next byte relative to quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    StartOfValue,
    Plain,
    Quoted,
    AfterQuote,
}

impl CsvEnd {
    pub(super) fn new(delimiter: u8) -> Self {
        let place = Place::StartOfValue;
        Self { delimiter, place, bytes: 0, line: 1, opened: 0, has_break: true, is_reached: false }
    }

    pub(super) fn end(&self) -> End {
        match self.place {
            _ if !self.is_reached => End::NotReached,
            Place::Quoted => End::InQuotes { opened: self.opened },
            _ if self.has_break => End::WithBreak,
            _ => End::WithoutBreak,
        }
    }

    /// Returns the line number of the next byte, counted from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Returns the number of bytes read so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Processes the next bytes of the file, or its end.
    pub(super) fn follow_all(&mut self, bytes: &[u8], is_end: bool) {
        self.is_reached |= is_end;
        let is_open = matches!(self.place, Place::Quoted | Place::AfterQuote);
        match bytes {
            // The common case: without quotes, only line breaks and the last byte matter.
            [others @ .., last] if self.bytes > 3 && !is_open && memchr(b'"', bytes).is_none() => {
                self.bytes += others.len() as u64;
                self.line += memchr_iter(b'\n', others).count() as u64;
                self.follow(*last);
            }
            _ => bytes.iter().for_each(|&byte| self.follow(byte)),
        }
    }

    fn follow(&mut self, byte: u8) {
        const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

        self.bytes += 1;
        let in_mark = usize::try_from(self.bytes - 1).ok().and_then(|at| BYTE_ORDER_MARK.get(at));
        if in_mark == Some(&byte) {
            return;
        }
        self.has_break = byte == b'\n';
        self.place = match (self.place, byte) {
            (Place::Quoted, b'"') => Place::AfterQuote,
            (Place::Quoted, _) | (Place::AfterQuote, b'"') => Place::Quoted,
            (Place::StartOfValue, b'"') => {
                self.opened = self.line;
                Place::Quoted
            }
            (_, b'\n' | b'\r') => Place::StartOfValue,
            (_, byte) if byte == self.delimiter => Place::StartOfValue,
            _ => Place::Plain,
        };
        self.line += u64::from(self.has_break);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how a string ends when it is read in pieces of this length.
    fn end_of(text: &[u8], piece: usize) -> End {
        let mut end = CsvEnd::new(b',');
        for piece in text.chunks(piece) {
            end.follow_all(piece, false);
            assert_eq!(end.end(), End::NotReached);
        }
        end.follow_all(b"", true);
        end.end()
    }

    #[test]
    fn ends() {
        for (text, expected) in [
            ("", End::WithBreak),
            ("loc\n/a\n", End::WithBreak),
            ("loc\r\n/a\r\n", End::WithBreak),
            ("loc\n/a", End::WithoutBreak),
            ("loc\n\"/a\"", End::WithoutBreak),
            ("loc\n\"/a", End::InQuotes { opened: 2 }),
            ("loc\n\"/a\n/b\n", End::InQuotes { opened: 2 }),
            ("loc\n\"/a\"\"", End::InQuotes { opened: 2 }),
            ("loc\n\"/a\"\"\"\n", End::WithBreak),
            ("loc\n/a\"b\n", End::WithBreak),
            ("loc\n\"/a\"b\"\n", End::WithBreak),
            ("loc\n/1,\"x\n", End::InQuotes { opened: 2 }),
            ("\u{FEFF}\"loc\n", End::InQuotes { opened: 1 }),
            ("\u{FEFF}\"loc\"\n", End::WithBreak),
        ] {
            for piece in [1, 2, 5, 100] {
                assert_eq!(end_of(text.as_bytes(), piece), expected, "{text:?}");
            }
        }
    }

    /// The parser and this reader must agree on which quotes open a value. To find out what the parser thinks, the test
    /// appends a row: it becomes part of the last value exactly if that value is still open.
    #[test]
    fn the_parser_agrees_on_all_short_texts() {
        const BYTES: [u8; 5] = *b"a\",\n\r";
        const MARK: &str = "mark";

        for number in 0..BYTES.len().pow(6) {
            let mut rest = number;
            let text: Vec<u8> = std::iter::repeat_with(|| {
                let byte = BYTES[rest % BYTES.len()];
                rest /= BYTES.len();
                byte
            })
            .take(6)
            .collect();
            let longer = [&b"x\nyz,"[..], &text, b"\n", MARK.as_bytes()].concat();
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(longer.as_slice());
            let last = reader.byte_records().last().unwrap().unwrap();
            let is_open = !(last.len() == 1 && last.get(0) == Some(MARK.as_bytes()));
            // Also reads the string after a few other bytes, because that takes a different code path.
            for piece in [1, 5, 100] {
                let found = matches!(end_of(&[b"x\nyz,", &text[..]].concat(), piece), End::InQuotes { .. });
                assert_eq!(found, is_open, "{:?}", String::from_utf8(text.clone()));
            }
        }
    }
}
