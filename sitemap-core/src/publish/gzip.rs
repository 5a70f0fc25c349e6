//! One gzip member, compressed in pieces that do not wait for each other.
//!
//! Each piece ends on a whole byte, so that the pieces one after another are what a single compressor
//! might have made. Where a piece ends depends on the text alone, and each gets a compressor that has seen
//! no other (one that was reset is not quite as new): any number of threads gives the same bytes.
//!
//! Format: RFC 1951, RFC 1952.

use std::io;

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

/// Magic, method, no flags, no time, no hint, unknown system: the same pages give the same bytes.
const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];

/// A part of a member.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) stored: Vec<u8>,
    /// Of the text.
    pub(super) crc: Crc,
}

impl Piece {
    /// Compresses a text; the first piece brings the header.
    pub(super) fn compress(
        text: &[u8],
        level: Compression,
        is_first: bool,
        is_last: bool,
    ) -> io::Result<Self> {
        let mut stored = Vec::with_capacity(text.len() / 8 + 64);
        if is_first {
            stored.extend_from_slice(&HEADER);
        }
        deflate(&mut Compress::new(level, false), text, is_last, &mut stored)?;
        let mut crc = Crc::new();
        crc.update(text);
        Ok(Self { stored, crc })
    }
}

fn deflate(compress: &mut Compress, mut text: &[u8], is_last: bool, out: &mut Vec<u8>) -> io::Result<()> {
    /// More than a flush needs at its end.
    const ROOM: usize = 64;

    let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
    loop {
        if out.capacity() - out.len() < ROOM {
            out.reserve(out.capacity().max(ROOM));
        }
        let before = compress.total_in();
        let status = compress.compress_vec(text, out, flush).map_err(io::Error::other)?;
        let taken = usize::try_from(compress.total_in() - before).unwrap_or(text.len());
        text = &text[taken.min(text.len())..];
        // A flush is complete when it leaves room.
        let is_flushed = !is_last && text.is_empty() && out.len() < out.capacity();
        if is_flushed || status == Status::StreamEnd {
            return Ok(());
        }
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
            let piece = Piece::compress(text, level, n == 0, n + 1 == pieces.len()).unwrap();
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
