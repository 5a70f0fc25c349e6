//! One file of a set while it is written, under its temporary name.

use std::path::PathBuf;
use std::sync::Arc;

use super::sink::Sink;
use super::staged::{SealedFile, StagedFile};
use super::storage::Storage;
use crate::error::Error;
use crate::value::LastMod;
use crate::write::{Fit, Pages, WriteOptions, Written};

/// A file that still takes records.
#[derive(Debug)]
pub(super) struct OpenFile {
    name: String,
    path: PathBuf,
    pub(super) pages: Pages<Sink>,
    gzip: bool,
}

/// A file that is whole and on disk, but not yet under its name.
#[derive(Debug)]
pub(super) struct WrittenFile {
    pub(super) name: String,
    pub(super) file: SealedFile,
    pub(super) written: Written,
    pub(super) newest: Option<LastMod>,
    pub(super) gzip: bool,
}

impl OpenFile {
    pub(super) fn create(
        storage: &Arc<dyn Storage>,
        name: String,
        write: &WriteOptions,
        gzip: Option<u32>,
    ) -> Result<Self, Error> {
        let path = storage.locate(&name);
        let sink = Sink::new(StagedFile::create(storage, &name)?, gzip);
        Ok(Self { name, path, pages: Pages::new(sink, write), gzip: gzip.is_some() })
    }

    /// Takes the draft, unless the file is full.
    #[inline]
    pub(super) fn accept(&mut self) -> Result<Fit, Error> {
        self.pages.accept().map_err(|error| error.in_file(&self.path))
    }

    pub(super) fn finish(self) -> Result<WrittenFile, Error> {
        let newest = self.pages.newest();
        let finished = self.pages.finish().and_then(|(sink, written)| {
            let file = sink.finish().map_err(|error| Error::io("write", None, error))?;
            Ok((file.seal()?, written))
        });
        let (file, written) = finished.map_err(|error| error.in_file(&self.path))?;
        Ok(WrittenFile { name: self.name, file, written, newest, gzip: self.gzip })
    }
}
