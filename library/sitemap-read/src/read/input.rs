//! The text to read: a whole slice, or a buffer with part of a stream. The buffer grows if an entry doesn't fit.

use std::io::{self, Read};

use super::error::{ReadError, ReadErrorKind};
use super::position::{LazyPosition, Lines, Position};

/// The text of a document, consumed from the front. It is usually UTF-8, but may contain invalid bytes.
pub(super) struct Input<'a> {
    store: Store<'a>,
    source: Source<'a>,
    /// The offset in `store` of the first byte that hasn't been consumed.
    start: usize,
    /// An offset in `store`, at or shortly before `start`. Its position in the document is `mark_position`.
    mark: usize,
    mark_position: Position,
    /// The number of bytes read from the source so far.
    taken: u64,
    max: u64,
}

enum Store<'a> {
    Slice(&'a [u8]),
    Buffer { bytes: Vec<u8>, end: usize },
}

enum Source<'a> {
    Read(Box<dyn Read + Send + 'a>),
    /// The source has more bytes than `ReadLimits::bytes` allows.
    Limit,
    End,
}

/// A decoder's problem, wrapped in an [`io::Error`].
#[derive(Debug)]
pub(super) enum Problem {
    #[cfg_attr(not(feature = "gzip"), allow(dead_code))]
    GzipTruncated,
    #[cfg_attr(not(feature = "gzip"), allow(dead_code))]
    GzipDamaged(String),
    #[cfg_attr(not(feature = "gzip"), allow(dead_code))]
    Limit(&'static str, u64),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::GzipTruncated => f.write_str("the compressed data ends too early"),
            Self::GzipDamaged(why) => write!(f, "the compressed data is damaged: {why}"),
            Self::Limit(limit, max) => write!(f, "the document exceeds the limit `{limit}` of {max}"),
        }
    }
}

impl std::error::Error for Problem {}

impl From<Problem> for io::Error {
    fn from(problem: Problem) -> Self {
        Self::other(problem)
    }
}

/// The minimum number of bytes to read at a time. With smaller reads, more entries would be incomplete at first and
/// have to be parsed again.
const STEP: usize = 32 * 1024;
/// The buffer size from the second read on. It grows only for entries that don't fit.
const WINDOW: usize = 128 * 1024;
/// The maximum distance in bytes between `mark` and `start`. A larger maximum is faster overall, because lines are
/// counted for more entries at once. A smaller one makes it faster to compute a single position.
const STRIDE: usize = 1024;

impl<'a> Input<'a> {
    pub(super) fn from_slice(bytes: &'a [u8], max: u64) -> Self {
        let max_len = usize::try_from(max).unwrap_or(usize::MAX);
        let (text, source) = match bytes.get(..max_len) {
            Some(text) if text.len() < bytes.len() => (text, Source::Limit),
            _ => (bytes, Source::End),
        };
        let taken = text.len() as u64;
        Self {
            store: Store::Slice(text),
            source,
            start: 0,
            mark: 0,
            mark_position: Position::START,
            taken,
            max,
        }
    }

    pub(super) fn from_reader(source: Box<dyn Read + Send + 'a>, max: u64) -> Self {
        let store = Store::Buffer { bytes: Vec::new(), end: 0 };
        let source = Source::Read(source);
        let (start, mark, mark_position) = (0, 0, Position::START);
        Self { store, source, start, mark, mark_position, taken: 0, max }
    }

    /// Returns the available text that hasn't been consumed.
    #[inline]
    pub(super) fn text(&self) -> &[u8] {
        &self.bytes()[self.start..]
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        match &self.store {
            Store::Slice(bytes) => bytes,
            Store::Buffer { bytes, end } => &bytes[..*end],
        }
    }

    /// Returns the position of the first byte that hasn't been consumed.
    pub(super) fn position(&self) -> Position {
        self.lazy_position().position()
    }

    /// Returns the position of the first byte that hasn't been consumed. It is only computed when needed.
    #[inline]
    pub(super) fn lazy_position(&self) -> LazyPosition<'_> {
        LazyPosition { mark: self.mark_position, since: &self.bytes()[self.mark..self.start] }
    }

    /// Returns `true` if the available text extends to the end of the document.
    pub(super) const fn at_end(&self) -> bool {
        matches!(self.source, Source::End)
    }

    /// Consumes `len` bytes.
    #[inline]
    pub(super) fn consume(&mut self, len: usize) {
        self.start += len;
        if self.start - self.mark > STRIDE {
            self.set_mark();
        }
    }

    /// Consumes `len` bytes of ASCII text with these line ends.
    #[inline]
    pub(super) fn consume_lines(&mut self, len: usize, lines: Lines) {
        if self.mark != self.start {
            self.set_mark();
        }
        self.start += len;
        self.mark = self.start;
        self.mark_position = self.mark_position.after_lines(len, lines);
    }

    /// Computes the current position, so that later positions can be computed from it.
    pub(super) fn set_mark(&mut self) {
        self.mark_position = self.position();
        self.mark = self.start;
    }

    /// Consumes a byte order mark, and returns `true` if there is one. It counts for the offset but not for the column.
    pub(super) fn skip_mark(&mut self) -> bool {
        let has_mark = self.text().starts_with(b"\xEF\xBB\xBF");
        if has_mark {
            self.set_mark();
            self.start += 3;
            self.mark += 3;
            self.mark_position.offset += 3;
        }
        has_mark
    }

    /// Reads more text. The available text at least doubles, unless the document ends. This keeps the total time
    /// linear, although an entry is parsed again from its start after each call.
    ///
    /// Returns a decoder's problem, if there is one. The text then ends before the damaged data.
    pub(super) fn more(&mut self) -> Result<Option<Problem>, ReadError> {
        self.set_mark();
        let (Store::Buffer { bytes, end }, Source::Read(source)) = (&mut self.store, &mut self.source) else {
            return match self.source {
                Source::Limit => Err(self.limit("bytes", self.max)),
                _ => Ok(None),
            };
        };
        bytes.copy_within(self.start..*end, 0);
        *end -= self.start;
        (self.start, self.mark) = (0, 0);
        let wanted = *end + (*end).max(STEP);
        if bytes.len() < wanted {
            // Small documents fit into the first read, so a full-size buffer would waste memory.
            let len = if bytes.is_empty() { wanted } else { wanted.max(WINDOW) };
            bytes.resize(len, 0);
        }
        while *end < wanted {
            let room = usize::try_from(self.max - self.taken).unwrap_or(usize::MAX).saturating_add(1);
            let until = bytes.len().min((*end).saturating_add(room));
            let problem = match source.read(&mut bytes[*end..until]) {
                Ok(0) => None,
                Ok(len) if len as u64 > self.max - self.taken => {
                    *end += len - 1;
                    self.taken = self.max;
                    self.source = Source::Limit;
                    return Ok(None);
                }
                Ok(len) => {
                    *end += len;
                    self.taken += len as u64;
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => match error.downcast::<Problem>() {
                    Ok(Problem::Limit(limit, max)) => {
                        self.source = Source::End;
                        return Err(self.limit(limit, max));
                    }
                    Ok(problem) => Some(problem),
                    Err(source) => {
                        self.source = Source::End;
                        return Err(ReadError::new(ReadErrorKind::Io(source), self.position()));
                    }
                },
            };
            self.source = Source::End;
            return Ok(problem);
        }
        Ok(None)
    }

    fn limit(&self, limit: &'static str, max: u64) -> ReadError {
        let position = self.position().after(self.text());
        ReadError::new(ReadErrorKind::Limit { limit, max }, position)
    }
}
