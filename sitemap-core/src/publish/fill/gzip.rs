//! Writes one gzip member, compressed in independent pieces.
//!
//! Each compressed piece ends on a byte boundary, so the pieces can be concatenated.
//!
//! The bytes of a member are the same for any number of threads, for two reasons. First, only the text decides where a
//! piece ends. Second, no piece depends on earlier ones: each gets a new compressor, because a reused compressor could
//! produce different bytes, even after a reset.
//!
//! Sources: RFC 1951, RFC 1952.

use std::io;

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use super::PIECE;

/// The header of a gzip member: magic number, method, no flags, no time, no compression level, unknown operating
/// system. The header is constant, so that the same pages produce the same bytes.
const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];

/// The minimum capacity of an output buffer, which is more than a piece of typical length needs. If a buffer were too
/// small, zlib could end a block earlier, which would change the bytes of the file.
const ROOM: usize = bound(PIECE + PIECE / 2);

/// Returns an upper bound for the compressed size of `len` bytes. zlib writes at most nine bits per byte, and a few
/// bytes per block.
const fn bound(len: usize) -> usize {
    len + len / 4 + 1024
}

/// Compresses pieces. An encoder is reused for many pieces.
#[derive(Debug)]
pub(super) struct Encoder {
    level: Compression,
    /// The compressor for the next piece.
    next: Option<Compress>,
}

impl Encoder {
    pub(super) fn new(level: u32) -> Self {
        Self { level: Compression::new(level), next: None }
    }

    /// Compresses a text and appends it to `bytes`.
    fn encode(&mut self, text: &[u8], is_last: bool, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.reserve_exact(ROOM.max(bound(text.len())));
        let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
        let mut compress = self.next.take().unwrap_or_else(|| self.compressor());
        let status = compress.compress_vec(text, bytes, flush).map_err(io::Error::other)?;
        let is_whole = compress.total_in() == text.len() as u64 && bytes.len() < bytes.capacity();
        // The next compressor is created right when this one is dropped, to reuse its memory. If it were created later,
        // a file name could be allocated in the gap, and the next compressor would need more memory.
        drop(compress);
        self.next = Some(self.compressor());
        if !is_whole || is_last != (status == Status::StreamEnd) {
            return Err(io::Error::other("the compressed text is larger than expected"));
        }
        Ok(())
    }

    fn compressor(&self) -> Compress {
        Compress::new(self.level, false)
    }
}

/// A compressed piece of a gzip member.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    /// The checksum of the uncompressed text.
    crc: Crc,
}

impl Piece {
    /// Compresses a text into an empty buffer. The first piece starts with the gzip header.
    pub(super) fn compress(
        text: &[u8],
        encoder: &mut Encoder,
        is_first: bool,
        is_last: bool,
        mut bytes: Vec<u8>,
    ) -> io::Result<Self> {
        if is_first {
            bytes.extend_from_slice(&HEADER);
        }
        encoder.encode(text, is_last, &mut bytes)?;
        let mut crc = Crc::new();
        crc.update(text);
        Ok(Self { bytes, crc })
    }
}

/// Computes the checksum of a gzip member. Its pieces must be added in order.
#[derive(Debug, Default)]
pub(super) struct Member {
    crc: Crc,
}

impl Member {
    /// Adds a piece to the checksum. If it is the last one, also appends the member's trailer to the piece.
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
        let (mut out, mut member, mut encoder) = (Vec::new(), Member::default(), Encoder::new(level));
        for (n, text) in pieces.iter().enumerate() {
            let is_last = n + 1 == pieces.len();
            let mut piece = Piece::compress(text, &mut encoder, n == 0, is_last, Vec::new()).unwrap();
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
        for level in [0, 1, 2, 6, 9] {
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
                // The pieces form a single gzip member, so no bytes follow it.
                assert!(decoder.into_inner().is_empty());
            }
        }
    }
}
