//! Where the bytes of a document go.

use std::io::{self, Write};

use super::buffer::Buffer;
use super::size::Content;

/// Receives a document piece by piece.
pub(crate) trait TextSink {
    /// Returns the minimum size of a piece in bytes. Only the last piece may be smaller.
    fn piece_len(&self) -> usize;

    /// Receives a piece and empties the buffer that contained it.
    fn take(&mut self, piece: &mut Buffer) -> io::Result<()>;

    /// Receives the last piece.
    fn end(&mut self, piece: &mut Buffer, content: Content) -> io::Result<()>;
}

/// Writes each piece to a [`Write`] immediately.
#[derive(Debug)]
pub(crate) struct WriteSink<W>(pub(crate) W);

impl<W: Write> TextSink for WriteSink<W> {
    fn piece_len(&self) -> usize {
        0
    }

    fn take(&mut self, piece: &mut Buffer) -> io::Result<()> {
        let written = self.0.write_all(piece.written());
        piece.clear();
        written
    }

    fn end(&mut self, piece: &mut Buffer, _: Content) -> io::Result<()> {
        self.take(piece)?;
        self.0.flush()
    }
}
