//! One file of a set while it is written: plain or gzip, under its temporary name.

use std::io::{self, Write};

use super::storage::{Directory, NewFile};
use crate::error::Error;
use crate::value::LastMod;
use crate::write::{Pages, WriteOptions, Written};

/// Where a document's bytes go.
#[derive(Debug)]
pub(super) enum Sink {
    Plain(NewFile),
    #[cfg(feature = "gzip")]
    Gzip(Box<flate2::write::GzEncoder<NewFile>>),
}

impl Sink {
    /// `level` is that of gzip, or `None` for a plain file.
    fn new(file: NewFile, level: Option<u32>) -> Self {
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

    fn finish(self) -> io::Result<NewFile> {
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

/// A file that still takes records.
#[derive(Debug)]
pub(super) struct OpenFile {
    name: String,
    pub(super) pages: Pages<Sink>,
    gzip: bool,
}

/// A file that is whole and on disk, but not yet under its name.
#[derive(Debug)]
pub(super) struct WrittenFile {
    pub(super) name: String,
    pub(super) file: NewFile,
    pub(super) written: Written,
    pub(super) newest: Option<LastMod>,
    pub(super) gzip: bool,
}

impl OpenFile {
    pub(super) fn create(
        directory: &Directory,
        name: String,
        write: WriteOptions,
        gzip: Option<u32>,
    ) -> Result<Self, Error> {
        let sink = Sink::new(directory.create(&name)?, gzip);
        Ok(Self { name, pages: Pages::new(sink, write), gzip: gzip.is_some() })
    }

    pub(super) fn finish(self) -> Result<WrittenFile, Error> {
        let newest = self.pages.newest();
        let (sink, written) = self.pages.finish()?;
        let file = sink.finish().map_err(|error| Error::io("write the sitemap", None, error))?;
        file.sync()?;
        Ok(WrittenFile { name: self.name, file, written, newest, gzip: self.gzip })
    }
}
