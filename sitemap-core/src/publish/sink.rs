//! Where the bytes of a document with pages go: piece by piece into the lane of its file.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use super::lane::{End, Lane};
use super::staged::{SealedFile, StagedFile};
use super::storage::Storage;
use crate::error::Error;

/// Handed on in pieces of about so many bytes, if they are compressed or go to another thread: larger
/// ones compress better by less than one part in a hundred.
pub(super) const PIECE: usize = 512 * 1024;

#[derive(Debug)]
pub(super) struct Sink {
    lane: Arc<Lane>,
    /// How many pieces were handed on.
    pieces: u64,
    piece: Vec<u8>,
}

impl Sink {
    pub(super) fn new(lane: Lane) -> Self {
        Self { lane: Arc::new(lane), pieces: 0, piece: Vec::new() }
    }

    pub(super) fn lane(&self) -> &Arc<Lane> {
        &self.lane
    }

    /// Says that nothing follows.
    pub(super) fn end(mut self, end: End) -> Arc<Lane> {
        self.hand_on(Some(end));
        self.lane
    }

    fn hand_on(&mut self, end: Option<End>) {
        let (number, text) = (self.pieces, mem::take(&mut self.piece));
        self.pieces += 1;
        match &self.lane.run().queue {
            None => self.lane.make(number, text, end),
            Some(queue) => {
                let lane = Arc::clone(&self.lane);
                queue.push(Box::new(move || lane.make(number, text, end)));
            }
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.lane.is_stored_at_once() {
            self.lane.store(bytes);
            self.pieces += 1;
        } else {
            if self.piece.capacity() == 0 {
                self.piece = self.lane.run().texts.take();
            }
            self.piece.extend_from_slice(bytes);
            if self.piece.len() >= PIECE {
                self.hand_on(None);
            }
        }
        self.lane.check().map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    /// Does nothing: a flush would cut compressed text, and the end stores all there is.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Copies a file of the set, inflated if it is compressed, to a new one that will be called `name`.
pub(super) fn plain_copy(
    storage: &Arc<dyn Storage>,
    from: &str,
    gzip: bool,
    name: &str,
) -> Result<SealedFile, Error> {
    let source = storage.open(from).map_err(|error| Error::io("read", Some(&storage.locate(from)), error))?;
    let mut plain = StagedFile::create(storage, name)?;
    copy(source, gzip, &mut plain).map_err(|error| Error::io("write", Some(&storage.locate(name)), error))?;
    plain.seal()
}

#[cfg(feature = "gzip")]
fn copy(mut source: impl io::Read, gzip: bool, to: &mut StagedFile) -> io::Result<u64> {
    if gzip { io::copy(&mut flate2::read::GzDecoder::new(source), to) } else { io::copy(&mut source, to) }
}

#[cfg(not(feature = "gzip"))]
fn copy(mut source: impl io::Read, _: bool, to: &mut StagedFile) -> io::Result<u64> {
    io::copy(&mut source, to)
}
