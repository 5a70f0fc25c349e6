//! A shard's bytes as they will be stored, in memory until its name is known.

use std::io::{self, Write};

#[cfg(feature = "gzip")]
use super::super::gzip;
/// Of text, before it is compressed: as in files of a publisher, so that both give the same bytes.
#[cfg(feature = "gzip")]
use super::super::sink::PIECE;

#[derive(Debug)]
pub(super) struct ShardSink {
    stored: Vec<u8>,
    #[cfg(feature = "gzip")]
    gzip: Option<Gzip>,
}

#[cfg(feature = "gzip")]
#[derive(Debug)]
struct Gzip {
    level: flate2::Compression,
    piece: Vec<u8>,
    crc: flate2::Crc,
}

impl ShardSink {
    /// `level` is that of gzip, or `None` for a plain file.
    #[cfg_attr(not(feature = "gzip"), allow(unused_variables))]
    pub(super) fn new(level: Option<u32>) -> Self {
        Self {
            stored: Vec::new(),
            #[cfg(feature = "gzip")]
            gzip: level.map(|level| Gzip {
                level: flate2::Compression::new(level),
                piece: Vec::new(),
                crc: flate2::Crc::new(),
            }),
        }
    }

    #[cfg_attr(not(feature = "gzip"), allow(unused_mut, clippy::unnecessary_wraps))]
    pub(super) fn finish(mut self) -> io::Result<Vec<u8>> {
        #[cfg(feature = "gzip")]
        if let Some(gzip) = &mut self.gzip {
            gzip.compress(true, &mut self.stored)?;
            self.stored.extend_from_slice(&gzip::trailer(&gzip.crc));
        }
        Ok(self.stored)
    }
}

#[cfg(feature = "gzip")]
impl Gzip {
    fn compress(&mut self, is_last: bool, stored: &mut Vec<u8>) -> io::Result<()> {
        let is_first = stored.is_empty();
        let room = Vec::with_capacity(gzip::ROOM);
        let piece = gzip::Piece::compress(&self.piece, self.level, is_first, is_last, room)?;
        stored.extend_from_slice(&piece.stored);
        self.crc.combine(&piece.crc);
        self.piece.clear();
        Ok(())
    }
}

impl Write for ShardSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        #[cfg(feature = "gzip")]
        if let Some(gzip) = &mut self.gzip {
            gzip.piece.extend_from_slice(bytes);
            if gzip.piece.len() >= PIECE {
                gzip.compress(false, &mut self.stored)?;
            }
            return Ok(bytes.len());
        }
        self.stored.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
