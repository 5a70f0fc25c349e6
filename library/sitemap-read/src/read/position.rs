//! Positions and spans in a document.

use std::fmt;

use memchr::{memchr_iter, memrchr};

/// A position in a document: byte offset, line and column.
///
/// Positions refer to the decompressed text. For a document that isn't UTF-8, they refer to the text converted to
/// UTF-8. A byte order mark counts for the offset, but not for the column.
///
/// ```
/// use sitemap_read::SitemapReader;
///
/// let mut reader = SitemapReader::from_slice(b"\nhttps://example.com/\n");
/// let start = reader.next()?.unwrap().span().start;
/// assert_eq!((start.offset, start.line, start.column), (1, 2, 1));
/// assert_eq!(start.to_string(), "2:1");
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Position {
    /// The number of bytes before the position.
    pub offset: u64,
    /// The line, starting at 1.
    pub line: u64,
    /// The column in characters, starting at 1.
    pub column: u64,
}

impl Position {
    pub(crate) const START: Self = Self { offset: 0, line: 1, column: 1 };

    /// Creates a position, for example from stored values.
    ///
    /// ```
    /// use sitemap_read::{Position, SitemapReader};
    ///
    /// let mut reader = SitemapReader::from_slice(b"\nhttps://example.com/\n");
    /// let start = reader.next()?.unwrap().span().start;
    /// assert_eq!(Position::new(1, 2, 1), start);
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    #[must_use]
    pub const fn new(offset: u64, line: u64, column: u64) -> Self {
        Self { offset, line, column }
    }

    /// Returns the position after `text`, which starts at this position.
    pub(crate) fn after(self, text: &[u8]) -> Self {
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

/// The line ends in a piece of ASCII text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    pub(super) count: usize,
    /// The offset of the last line end. Unspecified if `count` is 0.
    pub(super) last: usize,
}

impl Position {
    /// Returns the position after `len` bytes of ASCII text with these line ends.
    #[inline]
    pub(super) fn after_lines(self, len: usize, lines: Lines) -> Self {
        let offset = self.offset + len as u64;
        match lines.count {
            0 => Self { offset, line: self.line, column: self.column + len as u64 },
            count => Self { offset, line: self.line + count as u64, column: (len - lines.last) as u64 },
        }
    }
}

/// A position that is computed when needed, from an earlier position and the text in between.
#[derive(Clone, Copy, Debug)]
pub(super) struct LazyPosition<'t> {
    pub(super) mark: Position,
    pub(super) since: &'t [u8],
}

impl LazyPosition<'_> {
    pub(super) fn position(&self) -> Position {
        self.mark.after(self.since)
    }

    /// Returns the offset alone, which takes no time.
    pub(super) const fn offset(&self) -> u64 {
        self.mark.offset + self.since.len() as u64
    }
}

impl fmt::Display for Position {
    /// Writes `line:column`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Counts characters. Each of them has exactly one byte that isn't a UTF-8 continuation byte.
fn characters(text: &[u8]) -> u64 {
    if text.is_ascii() {
        return text.len() as u64;
    }
    text.iter().filter(|&&byte| byte & 0b1100_0000 != 0b1000_0000).count() as u64
}

/// A part of a document, as start position and length.
///
/// ```
/// use sitemap_read::{SitemapReader, Span};
///
/// let mut reader = SitemapReader::from_slice(b"https://example.com/\n");
/// let span = reader.next()?.unwrap().span();
/// assert_eq!((span.start.offset, span.len), (0, 20));
/// assert_eq!(Span::new(span.start, 5).len, 5);
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Span {
    /// The position of the first byte.
    pub start: Position,
    /// The length in bytes.
    pub len: u64,
}

impl Span {
    /// The empty span at the start of a document.
    pub(crate) const START: Self = Self::new(Position::START, 0);

    /// Creates a span from the position of its first byte and its length in bytes.
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
