//! Compression of whole sitemaps with several encoders.

pub mod texts;

use flate2::{Compress, Compression, FlushCompress};
use sitemap_deflate::Deflater;

use crate::Result;

/// An encoder at one level.
#[derive(Clone, Copy)]
pub struct Encoder {
    /// The name in the table.
    pub name: &'static str,
    /// Compresses the text and returns the compressed bytes, as raw deflate.
    pub run: fn(&[u8]) -> Result<Vec<u8>>,
}

/// All encoders, in the order of the table.
pub const ENCODERS: &[Encoder] = &[
    encoder("sitemap-deflate", ours),
    encoder("zlib-rs 1", zlib::<1>),
    encoder("zlib-rs 2", zlib::<2>),
    encoder("zlib-rs 3", zlib::<3>),
    encoder("zlib-rs 4", zlib::<4>),
    encoder("zlib-rs 5", zlib::<5>),
    encoder("zlib-rs 6", zlib::<6>),
    encoder("zlib-rs 7", zlib::<7>),
    encoder("zlib-rs 8", zlib::<8>),
    encoder("zlib-rs 9", zlib::<9>),
    encoder("libdeflate 1", libdeflate::<1>),
    encoder("libdeflate 6", libdeflate::<6>),
];

const fn encoder(name: &'static str, run: fn(&[u8]) -> Result<Vec<u8>>) -> Encoder {
    Encoder { name, run }
}

/// Returns the pieces of the text, as the publisher compresses them, each with `true` if it is the last.
fn pieces(text: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
    const PIECE: usize = 512 * 1024;

    text.chunks(PIECE).enumerate().map(|(n, piece)| (piece, (n + 1) * PIECE >= text.len()))
}

#[expect(clippy::unnecessary_wraps, reason = "other encoders may fail")]
fn ours(text: &[u8]) -> Result<Vec<u8>> {
    let (mut deflater, mut out) = (Deflater::new(), Vec::new());
    for (piece, is_last) in pieces(text) {
        if is_last {
            deflater.last_piece(piece, &mut out);
        } else {
            deflater.piece(piece, &mut out);
        }
    }
    Ok(out)
}

fn zlib<const LEVEL: u32>(text: &[u8]) -> Result<Vec<u8>> {
    let (mut out, mut room) = (Vec::new(), Vec::with_capacity(1024 * 1024));
    for (piece, is_last) in pieces(text) {
        let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
        Compress::new(Compression::new(LEVEL), false).compress_vec(piece, &mut room, flush)?;
        out.extend_from_slice(&room);
        room.clear();
    }
    Ok(out)
}

/// Compresses the text in one call.
fn libdeflate<const LEVEL: i32>(text: &[u8]) -> Result<Vec<u8>> {
    let level = libdeflater::CompressionLvl::new(LEVEL).map_err(|_| "libdeflate has no such level")?;
    let mut compressor = libdeflater::Compressor::new(level);
    let mut out = vec![0; compressor.deflate_compress_bound(text.len())];
    let len = compressor.deflate_compress(text, &mut out).map_err(|error| error.to_string())?;
    out.truncate(len);
    Ok(out)
}
