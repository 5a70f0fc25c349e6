//! Places in a document: byte offset, line and column.

use std::fmt;

use memchr::{memchr_iter, memrchr};

/// A place in a document.
///
/// Counted in the decompressed text. Of documents that are not UTF-8 the offset is that of the same
/// text in UTF-8; a byte order mark counts, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Position {
    /// Bytes before it.
    pub offset: u64,
    /// Its line, counted from 1.
    pub line: u64,
    /// Its column in characters, counted from 1.
    pub column: u64,
}

impl Position {
    pub(crate) const START: Self = Self { offset: 0, line: 1, column: 1 };

    /// The place after some more text.
    pub(super) fn after(self, text: &[u8]) -> Self {
        let offset = self.offset + text.len() as u64;
        match memrchr(b'\n', text) {
            None => Self { offset, line: self.line, column: self.column + characters(text) },
            Some(last) => Self {
                offset,
                line: self.line + memchr_iter(b'\n', text).count() as u64,
                column: 1 + characters(&text[last + 1..]),
            },
        }
    }
}

/// The line ends in a stretch of ASCII.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    pub(super) count: usize,
    /// Where the last one is; of no meaning without one.
    pub(super) last: usize,
}

impl Position {
    /// The place after so much ASCII with these line ends.
    #[inline]
    pub(super) fn after_lines(self, len: usize, lines: Lines) -> Self {
        let offset = self.offset + len as u64;
        match lines.count {
            0 => Self { offset, line: self.line, column: self.column + len as u64 },
            count => Self { offset, line: self.line + count as u64, column: (len - lines.last) as u64 },
        }
    }
}

/// A place that is worked out when it is asked for: some text after a known one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near<'t> {
    pub(super) mark: Position,
    pub(super) since: &'t [u8],
}

impl Near<'_> {
    pub(super) fn position(&self) -> Position {
        self.mark.after(self.since)
    }
}

impl fmt::Display for Position {
    /// As `line:column`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// All bytes but those that continue a character.
fn characters(text: &[u8]) -> u64 {
    if text.is_ascii() {
        return text.len() as u64;
    }
    text.iter().filter(|&&byte| byte & 0b1100_0000 != 0b1000_0000).count() as u64
}

/// A stretch of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Span {
    /// Where it begins.
    pub start: Position,
    /// Its length in bytes.
    pub len: u64,
}

impl Span {
    /// A stretch by its begin and its length in bytes.
    #[must_use]
    pub const fn new(start: Position, len: u64) -> Self {
        Self { start, len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_by_line_feeds_and_columns_by_characters() {
        let start = Position::START;
        assert_eq!(start.after(b""), start);
        assert_eq!(start.after("aü".as_bytes()), Position { offset: 3, line: 1, column: 3 });
        assert_eq!(start.after(b"a\r\n\nbc"), Position { offset: 6, line: 3, column: 3 });
        assert_eq!(start.after(b"a\n").after(b"b"), Position { offset: 3, line: 2, column: 2 });
        assert_eq!(start.after(b"a\n").to_string(), "2:1");
        for (text, count, last) in [(b"abcd", 0, 0), (b"a\n\nb", 2, 2), (b"abc\n", 1, 3)] {
            assert_eq!(start.after_lines(4, Lines { count, last }), start.after(text), "{text:?}");
        }
    }
}
