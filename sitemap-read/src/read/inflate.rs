//! Decompression that stops at its limits and keeps what came before a defect.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use super::input::Problem;
use super::limits::ReadLimits;

/// A gzip file of any number of members.
pub(super) struct Inflate<R> {
    decoder: MultiGzDecoder<Counted<R>>,
    out: u64,
    most_expansion: u64,
}

/// Knows how much was read, and whether an error is the source's own.
struct Counted<R> {
    source: R,
    taken: u64,
    most: u64,
    failed: bool,
}

/// Small documents may expand as they like.
const EXPANSION_FROM: u64 = 1 << 20;

impl<R: Read> Inflate<R> {
    pub(super) fn new(source: R, limits: &ReadLimits) -> Self {
        let source = Counted { source, taken: 0, most: limits.compressed_bytes, failed: false };
        Self { decoder: MultiGzDecoder::new(source), out: 0, most_expansion: limits.expansion }
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
        let most = self.decoder.get_ref().taken.saturating_mul(self.most_expansion);
        if self.out > EXPANSION_FROM && self.out > most {
            return Err(Problem::Limit("expansion", self.most_expansion).into());
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
        if self.taken > self.most {
            self.failed = true;
            return Err(Problem::Limit("compressed_bytes", self.most).into());
        }
        result
    }
}
