//! One gzip member, compressed in independent pieces.
//!
//! Each piece ends on a whole byte, so the pieces can be joined like the output of a single compressor. The end of a
//! piece depends only on the text. Each piece gets a new compressor, because the output of a reset compressor can
//! differ from that of a new one. So the bytes are the same for any number of threads.
//!
//! Sources: RFC 1951, RFC 1952.

use std::io;

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use super::output::PIECE;

/// The magic number, the method, no flags, no time, no hint and an unknown system, so that the same pages give
/// the same bytes.
const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];

/// More room than a piece of usual length can take, so that the room does not affect how the piece is cut into
/// blocks.
const ROOM: usize = bound(PIECE + PIECE / 2);

/// Returns the largest compressed size of a text: nine bits for each byte, and the ends of blocks.
const fn bound(len: usize) -> usize {
    len + len / 4 + 1024
}

/// A compressed piece of a gzip member.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    /// The checksum of the text.
    crc: Crc,
}

impl Piece {
    /// Compresses a text into an empty buffer, at a level from 0 to 9. The first piece starts with the header.
    pub(super) fn compress(
        text: &[u8],
        level: u32,
        is_first: bool,
        is_last: bool,
        mut bytes: Vec<u8>,
    ) -> io::Result<Self> {
        bytes.reserve_exact(ROOM.max(bound(text.len())));
        if is_first {
            bytes.extend_from_slice(&HEADER);
        }
        let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
        let mut compress = Compress::new(Compression::new(level), false);
        let status = compress.compress_vec(text, &mut bytes, flush).map_err(io::Error::other)?;
        let is_whole = compress.total_in() == text.len() as u64 && bytes.len() < bytes.capacity();
        if !is_whole || is_last != (status == Status::StreamEnd) {
            return Err(io::Error::other("the compressed text is larger than expected"));
        }
        let mut crc = Crc::new();
        crc.update(text);
        Ok(Self { bytes, crc })
    }
}

/// The checksum of a gzip member, to which the pieces are added in order.
#[derive(Debug, Default)]
pub(super) struct Member {
    crc: Crc,
}

impl Member {
    /// Adds a piece; appends the trailer to the last one.
    pub(super) fn add(&mut self, piece: &mut Piece, is_last: bool) {
        self.crc.combine(&piece.crc);
        if is_last {
            piece.bytes.extend_from_slice(&self.crc.sum().to_le_bytes());
            piece.bytes.extend_from_slice(&self.crc.amount().to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn member(level: u32, pieces: &[&[u8]]) -> Vec<u8> {
        let (mut out, mut member) = (Vec::new(), Member::default());
        for (n, text) in pieces.iter().enumerate() {
            let is_last = n + 1 == pieces.len();
            let mut piece = Piece::compress(text, level, n == 0, is_last, Vec::new()).unwrap();
            member.add(&mut piece, is_last);
            out.extend_from_slice(&piece.bytes);
        }
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
                // No bytes follow the first member.
                assert!(decoder.into_inner().is_empty());
            }
        }
    }
}
