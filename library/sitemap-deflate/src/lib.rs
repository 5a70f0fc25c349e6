//! A fast [deflate](https://www.rfc-editor.org/rfc/rfc1951) encoder for text whose lines repeat each other, such as
//! sitemaps.
//!
//! ```
//! use std::io::Read;
//!
//! let text = "<url><loc>https://example.com/posts/1</loc></url>\n".repeat(1000);
//! let mut compressed = Vec::new();
//! sitemap_deflate::Deflater::new().last_piece(text.as_bytes(), &mut compressed);
//! assert!(compressed.len() < 500);
//!
//! let mut found = String::new();
//! flate2::read::DeflateDecoder::new(compressed.as_slice()).read_to_string(&mut found)?;
//! assert_eq!(found, text);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! The encoder has one level. The size of its output is between levels 2 and 5 of zlib. It searches in two ways: at the
//! distance of the previous match, because entries repeat each other field by field, and at the last four places where
//! the same five bytes started. It contains no unsafe code.
//!
//! The bytes depend only on the text of a piece, not on earlier pieces, the processor or the number of threads. They are
//! raw deflate, without the header and checksum of gzip.
//!
//! `sitemap-core` uses this crate for compressed sets.

#![forbid(unsafe_code)]

mod bits;
mod block;
mod codes;
mod header;
mod huffman;
mod search;

use bits::Writer;
use search::Search;

/// An encoder, which has 400 KiB of tables and can compress any number of pieces.
///
/// ```
/// use sitemap_deflate::Deflater;
///
/// let mut deflater = Deflater::new();
/// let (mut first, mut again) = (Vec::new(), Vec::new());
/// deflater.last_piece(b"/about", &mut first);
/// deflater.last_piece(b"/about", &mut again);
/// assert_eq!(first, again);
/// ```
pub struct Deflater {
    search: Box<Search>,
}

impl Deflater {
    /// Creates an encoder.
    pub fn new() -> Self {
        Self { search: Box::new(Search::new()) }
    }

    /// Compresses a text and appends it to `out`. The compressed text ends on a whole byte, and another piece must
    /// follow.
    ///
    /// ```
    /// use std::io::Read;
    /// use sitemap_deflate::Deflater;
    ///
    /// let (mut deflater, mut out) = (Deflater::new(), Vec::new());
    /// deflater.piece(b"<urlset>", &mut out);
    /// deflater.last_piece(b"</urlset>", &mut out);
    /// let mut found = String::new();
    /// flate2::read::DeflateDecoder::new(out.as_slice()).read_to_string(&mut found)?;
    /// assert_eq!(found, "<urlset></urlset>");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn piece(&mut self, text: &[u8], out: &mut Vec<u8>) {
        let mut writer = Writer::new(out);
        self.blocks(text, false, &mut writer);
        // An empty stored block moves the end to a whole byte.
        block::stored(&mut writer, &[], false);
    }

    /// Compresses a text and appends it to `out`, as the last piece of a stream.
    ///
    /// ```
    /// let mut out = Vec::new();
    /// sitemap_deflate::Deflater::new().last_piece(b"", &mut out);
    /// assert_eq!(out, [3, 0]);
    /// ```
    pub fn last_piece(&mut self, text: &[u8], out: &mut Vec<u8>) {
        let mut writer = Writer::new(out);
        self.blocks(text, true, &mut writer);
        writer.align();
    }

    fn blocks(&mut self, text: &[u8], is_last: bool, writer: &mut Writer<'_>) {
        self.search.clear();
        let mut start = 0;
        while start < text.len() {
            let end = self.search.block(text, start);
            block::write(writer, &text[start..end], &self.search.found, is_last && end == text.len());
            start = end;
        }
        if text.is_empty() && is_last {
            block::empty(writer);
        }
    }
}

impl Default for Deflater {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Deflater {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deflater").finish_non_exhaustive()
    }
}
