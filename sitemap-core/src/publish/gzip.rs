//! One gzip member, compressed in pieces that do not wait for each other.
//!
//! Each piece ends on a whole byte, so that the pieces one after another are what a single compressor
//! might have made. Where a piece ends depends on the text alone, and each gets a compressor that has seen
//! no other (one that was reset is not quite as new): any number of threads gives the same bytes.
//!
//! Format: RFC 1951, RFC 1952.

use std::io;

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use super::sink::PIECE;

/// Magic, method, no flags, no time, no hint, unknown system: the same pages give the same bytes.
const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];

/// A part of a member.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) stored: Vec<u8>,
    /// Of the text.
    pub(super) crc: Crc,
}

/// More than a piece of usual length can take, so that how it is cut into blocks does not depend on the
/// room there is.
pub(super) const ROOM: usize = bound(PIECE + PIECE / 2);

/// What a text takes at most: nine bits a byte and the ends of blocks.
const fn bound(len: usize) -> usize {
    len + len / 4 + 1024
}

impl Piece {
    /// Compresses a text into an empty buffer of [`ROOM`]; the first piece brings the header.
    pub(super) fn compress(
        text: &[u8],
        level: Compression,
        is_first: bool,
        is_last: bool,
        mut stored: Vec<u8>,
    ) -> io::Result<Self> {
        stored.reserve_exact(bound(text.len()));
        if is_first {
            stored.extend_from_slice(&HEADER);
        }
        let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
        let mut compress = Compress::new(level, false);
        let status = compress.compress_vec(text, &mut stored, flush).map_err(io::Error::other)?;
        let is_whole = compress.total_in() == text.len() as u64 && stored.len() < stored.capacity();
        if !is_whole || is_last != (status == Status::StreamEnd) {
            return Err(io::Error::other("compressed text takes more room than it can"));
        }
        let mut crc = Crc::new();
        crc.update(text);
        Ok(Self { stored, crc })
    }
}

/// What comes after the last piece.
pub(super) fn trailer(crc: &Crc) -> [u8; 8] {
    let mut trailer = [0; 8];
    trailer[..4].copy_from_slice(&crc.sum().to_le_bytes());
    trailer[4..].copy_from_slice(&crc.amount().to_le_bytes());
    trailer
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn member(level: u32, pieces: &[&[u8]]) -> Vec<u8> {
        let level = Compression::new(level);
        let (mut out, mut crc) = (Vec::new(), Crc::new());
        for (n, text) in pieces.iter().enumerate() {
            let piece = Piece::compress(text, level, n == 0, n + 1 == pieces.len(), Vec::with_capacity(ROOM))
                .unwrap();
            out.extend_from_slice(&piece.stored);
            crc.combine(&piece.crc);
        }
        out.extend_from_slice(&trailer(&crc));
        out
    }

    #[test]
    fn pieces_are_one_member() {
        let random: Vec<u8> =
            (0..200_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
        let even = b"<url><loc>https://example.com/</loc></url>\n".repeat(5_000);
        for level in [0, 1, 6, 9] {
            for pieces in [
                vec![&b""[..]],
                vec![b"a", b""],
                vec![&even[..100_000], &even[100_000..], b"end"],
                vec![&random, &even, &random[..7], b""],
            ] {
                let stored = member(level, &pieces);
                let mut decoder = flate2::bufread::GzDecoder::new(stored.as_slice());
                let mut text = Vec::new();
                decoder.read_to_end(&mut text).unwrap();
                assert_eq!(text, pieces.concat());
                // Nothing follows the first member.
                assert!(decoder.into_inner().is_empty());
            }
        }
    }
}
