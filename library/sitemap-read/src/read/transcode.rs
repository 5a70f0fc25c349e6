//! Converts documents in other encodings to UTF-8.

use std::io::{self, Read};

use encoding_rs::{Decoder, Encoding};

/// A reader that converts a source in another encoding to UTF-8. Invalid bytes become U+FFFD.
pub(super) struct Transcode<R> {
    source: R,
    decoder: Decoder,
    raw: Vec<u8>,
    text: Vec<u8>,
    /// The number of bytes of `text` that have already been returned.
    given: usize,
    ended: bool,
}

const CHUNK: usize = 8 * 1024;

impl<R: Read> Transcode<R> {
    pub(super) fn new(source: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        Self { source, decoder, raw: vec![0; CHUNK], text: Vec::new(), given: 0, ended: false }
    }

    fn refill(&mut self) -> io::Result<()> {
        let len = self.source.read(&mut self.raw)?;
        self.ended = len == 0;
        let max = self.decoder.max_utf8_buffer_length(len).unwrap_or(4 * CHUNK);
        self.text.resize(max, 0);
        let (_, _, written, _) = self.decoder.decode_to_utf8(&self.raw[..len], &mut self.text, self.ended);
        self.text.truncate(written);
        self.given = 0;
        Ok(())
    }
}

impl<R: Read> Read for Transcode<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.ended {
            self.refill()?;
        }
        let rest = &self.text[self.given..];
        let len = rest.len().min(buf.len());
        buf[..len].copy_from_slice(&rest[..len]);
        self.given += len;
        Ok(len)
    }
}
