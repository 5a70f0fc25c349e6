//! Reads logs that may be compressed with gzip.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

/// A log that is decompressed on the fly if it is compressed with gzip.
///
/// The first bytes decide whether to decompress. A compressed log may consist of several members, as `cat *.gz`
/// produces them.
///
/// ```
/// use std::io::Write;
///
/// use flate2::{Compression, write::GzEncoder};
/// use sitemap_logs::{LogReader, MaybeGzip};
///
/// let line = "192.0.2.1 - - [27/Nov/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 512\n";
/// let mut log = GzEncoder::new(Vec::new(), Compression::fast());
/// log.write_all(line.as_bytes())?;
/// let log = log.finish()?;
///
/// for log in [line.as_bytes(), &log] {
///     let mut reader = LogReader::detect(MaybeGzip::new(log)?)?;
///     assert_eq!(reader.next_request().unwrap()?.target, "/");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MaybeGzip<R>(Log<R>);

#[derive(Debug)]
enum Log<R> {
    Plain(R),
    Gzip(Box<BufReader<MultiGzDecoder<R>>>),
}

impl<R: BufRead> MaybeGzip<R> {
    /// Wraps a reader of a plain or compressed log.
    ///
    /// # Errors
    ///
    /// Returns the error of `reader` if its first bytes can't be read.
    pub fn new(mut reader: R) -> io::Result<Self> {
        /// The buffer size for the decompressed log.
        const BUFFER: usize = 1 << 16;

        let start = reader.fill_buf()?;
        // One byte is enough to decide, because a reader may return a single byte at first, and no line of a plain log
        // starts with this byte.
        let is_gzip = start.starts_with(b"\x1f\x8b") || start == b"\x1f";
        Ok(Self(if is_gzip {
            Log::Gzip(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(reader))))
        } else {
            Log::Plain(reader)
        }))
    }
}

impl<R: BufRead> Read for MaybeGzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Log::Plain(reader) => reader.read(buffer),
            Log::Gzip(reader) => reader.read(buffer),
        }
    }
}

impl<R: BufRead> BufRead for MaybeGzip<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match &mut self.0 {
            Log::Plain(reader) => reader.fill_buf(),
            Log::Gzip(reader) => reader.fill_buf(),
        }
    }

    fn consume(&mut self, used: usize) {
        match &mut self.0 {
            Log::Plain(reader) => reader.consume(used),
            Log::Gzip(reader) => reader.consume(used),
        }
    }
}
