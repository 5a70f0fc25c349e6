//! Reads arbitrary bytes from memory and from a stream of small pieces, first without strict mode, then with it. The
//! reader must not panic. In each mode, it must return the same entries and findings from memory and from the stream.
#![no_main]

mod outcome;

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use outcome::outcome;
use sitemap_read::{ReadOptions, SitemapReader};

/// A stream that returns a few bytes at a time. Its fields are the remaining bytes and the size of a piece.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let len = self.0.len().min(buf.len()).min(self.1);
        let (piece, rest) = self.0.split_at(len);
        buf[..len].copy_from_slice(piece);
        self.0 = rest;
        Ok(len)
    }
}

fuzz_target!(|data: &[u8]| {
    for strict in [false, true] {
        let options = ReadOptions::new().strict(strict).keep_elements(true);
        let whole = outcome(SitemapReader::from_slice_with(data, options));
        let pieces = outcome(SitemapReader::from_reader_with(Pieces(data, 1 + data.len() / 7), options));
        assert_eq!(whole, pieces);
    }
});
