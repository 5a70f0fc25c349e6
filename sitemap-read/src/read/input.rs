//! The text to read: a slice as it is, or a window over a stream that grows as far as one entry needs.

use std::io::{self, Read};

use super::error::{ReadError, ReadErrorKind};
use super::position::{Lines, Near, Position};

/// Text in UTF-8 (as far as it is), of which the front is used up step by step.
pub(super) struct Input<'a> {
    store: Store<'a>,
    source: Source<'a>,
    /// The first byte in the store that is not used up.
    start: usize,
    /// A byte at or shortly before it, whose place in the document is known.
    mark: usize,
    mark_position: Position,
    /// Bytes taken from the source.
    taken: u64,
    most: u64,
}

enum Store<'a> {
    Slice(&'a [u8]),
    Buffer { bytes: Vec<u8>, end: usize },
}

enum Source<'a> {
    Read(Box<dyn Read + Send + 'a>),
    /// There is more, but beyond the limit.
    Limit,
    End,
}

/// What a decoder beneath says through an [`io::Error`].
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
        std::fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Problem {}

impl From<Problem> for io::Error {
    fn from(problem: Problem) -> Self {
        Self::other(problem)
    }
}

/// What to read at least before looking at it again: fewer bytes mean more entries begun in vain.
const STEP: usize = 32 * 1024;
/// What the window has from the second step on. It grows only for entries that are larger.
const WINDOW: usize = 128 * 1024;
/// How far the mark may stay behind. Lines of many entries at once are counted faster than those of
/// each, and little is left to count when someone asks.
const STRIDE: usize = 1024;

impl<'a> Input<'a> {
    pub(super) fn from_slice(bytes: &'a [u8], most: u64) -> Self {
        let most_len = usize::try_from(most).unwrap_or(usize::MAX);
        let (text, source) = match bytes.get(..most_len) {
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
            most,
        }
    }

    pub(super) fn from_reader(source: Box<dyn Read + Send + 'a>, most: u64) -> Self {
        let store = Store::Buffer { bytes: Vec::new(), end: 0 };
        let source = Source::Read(source);
        Self { store, source, start: 0, mark: 0, mark_position: Position::START, taken: 0, most }
    }

    /// What is there and not used up.
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

    /// The place of the first byte that is not used up.
    pub(super) fn position(&self) -> Position {
        self.near().position()
    }

    /// The same, to be worked out later.
    #[inline]
    pub(super) fn near(&self) -> Near<'_> {
        Near { mark: self.mark_position, since: &self.bytes()[self.mark..self.start] }
    }

    /// Whether all of the document is there.
    pub(super) const fn at_end(&self) -> bool {
        matches!(self.source, Source::End)
    }

    /// Uses up so many bytes.
    #[inline]
    pub(super) fn consume(&mut self, len: usize) {
        self.start += len;
        if self.start - self.mark > STRIDE {
            self.set_mark();
        }
    }

    /// Uses up so many bytes of ASCII, whose line ends are known.
    #[inline]
    pub(super) fn consume_lines(&mut self, len: usize, lines: Lines) {
        if self.mark != self.start {
            self.set_mark();
        }
        self.start += len;
        self.mark = self.start;
        self.mark_position = self.mark_position.after_lines(len, lines);
    }

    fn set_mark(&mut self) {
        self.mark_position = self.position();
        self.mark = self.start;
    }

    /// Uses up a byte order mark: it has an offset but no column.
    pub(super) fn skip_mark(&mut self) {
        if self.text().starts_with(b"\xEF\xBB\xBF") {
            self.set_mark();
            self.start += 3;
            self.mark += 3;
            self.mark_position.offset += 3;
        }
    }

    /// Reads more: at least as much again as is there, unless the document ends.
    ///
    /// So an entry that is begun anew each time is read in linear time. Gives what the decoder
    /// beneath has to say; the document ends there.
    pub(super) fn more(&mut self) -> Result<Option<Problem>, ReadError> {
        self.set_mark();
        let (Store::Buffer { bytes, end }, Source::Read(source)) = (&mut self.store, &mut self.source) else {
            return match self.source {
                Source::Limit => Err(self.limit("bytes", self.most)),
                _ => Ok(None),
            };
        };
        bytes.copy_within(self.start..*end, 0);
        *end -= self.start;
        (self.start, self.mark) = (0, 0);
        let wanted = *end + (*end).max(STEP);
        if bytes.len() < wanted {
            // Most documents that are not large fit into the first step.
            let len = if bytes.is_empty() { wanted } else { wanted.max(WINDOW) };
            bytes.resize(len, 0);
        }
        while *end < wanted {
            let room = usize::try_from(self.most - self.taken).unwrap_or(usize::MAX).saturating_add(1);
            let until = bytes.len().min((*end).saturating_add(room));
            let problem = match source.read(&mut bytes[*end..until]) {
                Ok(0) => None,
                Ok(len) if len as u64 > self.most - self.taken => {
                    *end += len - 1;
                    self.taken = self.most;
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
                    Ok(Problem::Limit(limit, most)) => {
                        self.source = Source::End;
                        return Err(self.limit(limit, most));
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

    fn limit(&self, limit: &'static str, most: u64) -> ReadError {
        let position = self.position().after(self.text());
        ReadError::new(ReadErrorKind::Limit { limit, most }, position)
    }
}
