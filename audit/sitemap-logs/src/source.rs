//! The bytes of a log, with lookahead.

use std::io::{self, BufRead};

use memchr::memrchr;

/// A reader whose first bytes have been read ahead.
#[derive(Debug)]
pub(crate) struct Source<R> {
    ahead: Vec<u8>,
    /// The number of bytes of `ahead` that have been consumed.
    used: usize,
    reader: R,
}

impl<R: BufRead> Source<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { ahead: Vec::new(), used: 0, reader }
    }

    /// Reads ahead until `find` returns a value for the complete lines so far, `most` bytes are read, or the log ends.
    /// Returns that value or, if there is none, the bytes read.
    pub(crate) fn find<T>(
        &mut self,
        most: usize,
        find: impl Fn(&[u8]) -> Option<T>,
    ) -> io::Result<Result<T, &[u8]>> {
        let mut searched = 0;
        loop {
            let buffer = buffer(&mut self.reader)?;
            let piece = buffer.len().min(most - self.ahead.len());
            self.ahead.extend_from_slice(&buffer[..piece]);
            self.reader.consume(piece);
            let is_last = piece == 0;
            // Doubling avoids a search after each byte if the reader returns single bytes.
            if is_last || self.ahead.len() >= 2 * searched {
                searched = self.ahead.len();
                // An incomplete line could be mistaken for a complete one.
                let lines = memrchr(b'\n', &self.ahead).map_or(0, |last| last + 1);
                if let Some(found) = find(&self.ahead[..if is_last { searched } else { lines }]) {
                    return Ok(Ok(found));
                }
            }
            if is_last {
                return Ok(Err(&self.ahead));
            }
        }
    }

    /// Returns the next bytes. The slice is empty at the end.
    #[inline]
    pub(crate) fn buffer(&mut self) -> io::Result<&[u8]> {
        if self.used < self.ahead.len() {
            return Ok(&self.ahead[self.used..]);
        }
        buffer(&mut self.reader)
    }

    /// Returns the bytes that the last call of [`buffer`](Self::buffer) returned.
    #[inline]
    pub(crate) fn same_buffer(&mut self) -> io::Result<&[u8]> {
        if self.used < self.ahead.len() { Ok(&self.ahead[self.used..]) } else { self.reader.fill_buf() }
    }

    /// Consumes bytes of the last buffer.
    #[inline]
    pub(crate) fn consume(&mut self, used: usize) {
        if self.used < self.ahead.len() {
            self.used += used;
        } else {
            self.reader.consume(used);
        }
    }
}

fn buffer<R: BufRead>(reader: &mut R) -> io::Result<&[u8]> {
    // An interrupted read is retried. The buffer is fetched a second time to satisfy the borrow checker.
    loop {
        match reader.fill_buf() {
            Ok(_) => return reader.fill_buf(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
