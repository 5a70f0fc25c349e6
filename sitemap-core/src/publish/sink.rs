//! Where the bytes of a file go: to disk as they are, or through gzip.

use std::io::{self, Write};
use std::sync::Arc;

use super::staged::{SealedFile, StagedFile};
use super::storage::Storage;
use crate::error::Error;

#[derive(Debug)]
pub(super) enum Sink {
    Plain(StagedFile),
    #[cfg(feature = "gzip")]
    Gzip(Box<flate2::write::GzEncoder<StagedFile>>),
}

impl Sink {
    /// `level` is that of gzip, or `None` for a plain file.
    pub(super) fn new(file: StagedFile, level: Option<u32>) -> Self {
        match level {
            #[cfg(feature = "gzip")]
            // No name and no time in the header: the same pages give the same bytes.
            Some(level) => {
                let level = flate2::Compression::new(level);
                Self::Gzip(Box::new(flate2::write::GzEncoder::new(file, level)))
            }
            _ => Self::Plain(file),
        }
    }

    #[cfg_attr(not(feature = "gzip"), allow(clippy::unnecessary_wraps))]
    pub(super) fn finish(self) -> io::Result<StagedFile> {
        match self {
            Self::Plain(file) => Ok(file),
            #[cfg(feature = "gzip")]
            Self::Gzip(encoder) => encoder.finish(),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            #[cfg(feature = "gzip")]
            Self::Gzip(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            // A flush would cut the compressed stream; `finish` writes all there is.
            #[cfg(feature = "gzip")]
            Self::Gzip(_) => Ok(()),
        }
    }
}

/// The plain form of a finished file, to be called `name`.
pub(super) fn plain(
    storage: &Arc<dyn Storage>,
    file: SealedFile,
    gzip: bool,
    name: &str,
) -> Result<SealedFile, Error> {
    if !gzip {
        return Ok(file);
    }
    #[cfg_attr(not(feature = "gzip"), allow(unused_mut))]
    let mut plain = StagedFile::create(storage, name)?;
    #[cfg(feature = "gzip")]
    io::copy(&mut flate2::read::GzDecoder::new(file.open()?), &mut plain)
        .map_err(|error| Error::io("write", Some(&storage.locate(name)), error))?;
    plain.seal()
}
