//! Decompresses gzip within limits. If the data is damaged, the bytes before the damage are still returned.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use super::input::Problem;
use super::limits::ReadLimits;

/// A reader that decompresses a gzip file with any number of members.
pub(super) struct Inflate<R> {
    decoder: MultiGzDecoder<Counted<R>>,
    out: u64,
    max_expansion: u64,
}

/// Counts the bytes of a source. Also records whether the source failed, because such a failure doesn't mean that the
/// compressed data is damaged.
struct Counted<R> {
    source: R,
    taken: u64,
    max: u64,
    failed: bool,
}

/// The decompressed size, in bytes, above which the limit on expansion applies.
const EXPANSION_FROM: u64 = 1 << 20;

impl<R: Read> Inflate<R> {
    pub(super) fn new(source: R, limits: &ReadLimits) -> Self {
        let source = Counted { source, taken: 0, max: limits.compressed_bytes, failed: false };
        Self { decoder: MultiGzDecoder::new(source), out: 0, max_expansion: limits.expansion }
    }
}

impl<R: Read> Read for Inflate<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = match self.decoder.read(buf) {
            Ok(len) => len,
            Err(error) if self.decoder.get_ref().failed || error.kind() == io::ErrorKind::Interrupted => {
                return Err(error);
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(Problem::GzipTruncated.into());
            }
            Err(error) => return Err(Problem::GzipDamaged(error.to_string()).into()),
        };
        self.out += len as u64;
        let max = self.decoder.get_ref().taken.saturating_mul(self.max_expansion);
        if self.out > EXPANSION_FROM && self.out > max {
            return Err(Problem::Limit("expansion", self.max_expansion).into());
        }
        Ok(len)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let result = self.source.read(buf);
        match &result {
            Ok(len) => self.taken += *len as u64,
            Err(error) => self.failed = error.kind() != io::ErrorKind::Interrupted,
        }
        if self.taken > self.max {
            self.failed = true;
            return Err(Problem::Limit("compressed_bytes", self.max).into());
        }
        result
    }
}
