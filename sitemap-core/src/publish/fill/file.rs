//! Writes one file whose text arrives in pieces. Threads compress the pieces in any order, and the file stores them in
//! the order of the text.

use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use super::PIECE;
#[cfg(feature = "gzip")]
use super::gzip::{self, Encoder, Member};
use super::output::Output;
use crate::publish::error::PublishError;
use crate::publish::target::Target;
use crate::write::{Buffer, Content, TextSink};

/// A file that a run writes.
#[derive(Debug)]
pub(crate) struct OutputFile<T: Target> {
    output: Arc<Output<T>>,
    name: String,
    /// The number of pieces that were processed or sent to other threads.
    received: AtomicU64,
    state: Mutex<State<T>>,
}

#[derive(Debug)]
struct State<T: Target> {
    stage: Stage<T>,
    /// The index of the next piece to store, counted from 0.
    next: u64,
    /// Pieces that are ready to be stored, but have to wait for an earlier piece.
    early: BTreeMap<u64, Piece>,
    #[cfg(feature = "gzip")]
    member: Member,
}

#[derive(Debug)]
enum Stage<T: Target> {
    New,
    Open(T::Open),
    Complete(T::File),
    Failed(PublishError),
    /// The caller has already taken the file or its error.
    Taken,
}

/// A piece as it is stored: compressed or plain.
#[derive(Debug)]
struct Piece {
    bytes: Bytes,
    /// The size of the file, and the newest `lastmod` of its pages. Set only in the last piece.
    end: Option<Content>,
}

#[derive(Debug)]
enum Bytes {
    Plain(Buffer),
    #[cfg(feature = "gzip")]
    Gzip(gzip::Piece),
}

impl<T: Target> OutputFile<T> {
    pub(super) fn new(output: &Arc<Output<T>>, name: String) -> Self {
        let state = State {
            stage: Stage::New,
            next: 0,
            early: BTreeMap::new(),
            #[cfg(feature = "gzip")]
            member: Member::default(),
        };
        Self { output: Arc::clone(output), name, received: AtomicU64::new(0), state: Mutex::new(state) }
    }

    /// Receives a piece. Stores it at once if text is neither compressed nor sent to other threads. Otherwise,
    /// compresses it if necessary and then stores it, on the caller's thread or on another one.
    fn receive(self: &Arc<Self>, piece: &mut Buffer, end: Option<Content>) -> io::Result<()> {
        let output = &self.output;
        if output.stores_at_once() {
            self.store(piece.written(), end);
            piece.clear();
        } else {
            let text = mem::replace(piece, output.texts.take().unwrap_or_default());
            let (file, number) = (Arc::clone(self), self.received.fetch_add(1, Ordering::Relaxed));
            if output.has_threads() {
                output.compressors.start(move || file.process(number, text, end));
            } else {
                file.process(number, text, end);
            }
        }
        // This error only reports that the file has failed. `OutputFile::take` returns the cause.
        if self.has_failed() { Err(io::ErrorKind::Other.into()) } else { Ok(()) }
    }

    /// Stores a piece as it is. The pieces must arrive in order.
    fn store(&self, text: &[u8], end: Option<Content>) {
        let mut state = self.state();
        self.append(&mut state, text);
        if let Some(content) = end {
            self.complete(&mut state, content);
        }
    }

    /// Compresses a piece if the file is compressed. Stores it as soon as all earlier pieces are stored.
    fn process(&self, number: u64, text: Buffer, end: Option<Content>) {
        match self.processed(text, number == 0, end.is_some()) {
            Ok(bytes) => self.arrive(number, Piece { bytes, end }),
            Err(error) => {
                let path = self.output.target.locate(&self.name);
                self.state().fail(PublishError::io("compress", &path, error));
            }
        }
    }

    #[cfg(feature = "gzip")]
    fn processed(&self, mut text: Buffer, is_first: bool, is_last: bool) -> io::Result<Bytes> {
        let Some(level) = self.output.options.gzip else { return Ok(Bytes::Plain(text)) };
        let Output { texts, compressed, encoders, .. } = &*self.output;
        let mut encoder = encoders.take().unwrap_or_else(|| Encoder::new(level));
        let room = compressed.take().unwrap_or_default();
        let piece = gzip::Piece::compress(text.written(), &mut encoder, is_first, is_last, room)?;
        encoders.give_back(encoder);
        text.clear();
        texts.give_back(text);
        Ok(Bytes::Gzip(piece))
    }

    #[cfg(not(feature = "gzip"))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps)] // The signature must be the same as with the feature.
    fn processed(&self, text: Buffer, _: bool, _: bool) -> io::Result<Bytes> {
        Ok(Bytes::Plain(text))
    }

    fn arrive(&self, number: u64, piece: Piece) {
        let state = &mut *self.state();
        state.early.insert(number, piece);
        while let Some(piece) = state.early.remove(&state.next) {
            state.next += 1;
            match piece.bytes {
                Bytes::Plain(mut text) => {
                    self.append(state, text.written());
                    text.clear();
                    self.output.texts.give_back(text);
                }
                #[cfg(feature = "gzip")]
                Bytes::Gzip(mut compressed) => {
                    state.member.add(&mut compressed, piece.end.is_some());
                    self.append(state, &compressed.bytes);
                    compressed.bytes.clear();
                    self.output.compressed.give_back(compressed.bytes);
                }
            }
            if let Some(content) = piece.end {
                self.complete(state, content);
            }
        }
    }

    fn append(&self, state: &mut State<T>, bytes: &[u8]) {
        let target = &self.output.target;
        if matches!(state.stage, Stage::New) {
            match target.open(&self.name) {
                Ok(file) => state.stage = Stage::Open(file),
                Err(error) => state.fail(error),
            }
        }
        // After an error, the rest of the file is dropped.
        if let Stage::Open(file) = &mut state.stage
            && let Err(error) = target.write(file, &self.name, bytes)
        {
            state.fail(error);
        }
    }

    fn complete(&self, state: &mut State<T>, content: Content) {
        state.stage = match mem::replace(&mut state.stage, Stage::Taken) {
            Stage::Open(file) => match self.output.target.finish(file, &self.name, content) {
                Ok(file) => Stage::Complete(file),
                Err(error) => Stage::Failed(error),
            },
            other => other,
        };
    }

    /// Takes the complete file or its error.
    pub(super) fn take(&self) -> Result<T::File, PublishError> {
        match mem::replace(&mut self.state().stage, Stage::Taken) {
            Stage::Complete(file) => Ok(file),
            Stage::Failed(error) => Err(error),
            Stage::New | Stage::Open(_) | Stage::Taken => Err(PublishError::aborted()),
        }
    }

    fn has_failed(&self) -> bool {
        matches!(self.state().stage, Stage::Failed(_) | Stage::Taken)
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(|poisoned| {
            // The storage panicked while storing a piece, so part of the file may be missing.
            let mut state = poisoned.into_inner();
            state.fail(PublishError::aborted());
            state
        })
    }
}

impl<T: Target> State<T> {
    /// Sets the error of the file, unless it already has one.
    fn fail(&mut self, error: PublishError) {
        if !matches!(self.stage, Stage::Failed(_) | Stage::Taken) {
            self.stage = Stage::Failed(error);
        }
    }
}

/// Lets a document write its text to the file.
impl<T: Target> TextSink for Arc<OutputFile<T>> {
    fn piece_len(&self) -> usize {
        if self.output.stores_at_once() { 0 } else { PIECE }
    }

    fn take(&mut self, piece: &mut Buffer) -> io::Result<()> {
        self.receive(piece, None)
    }

    fn end(&mut self, piece: &mut Buffer, content: Content) -> io::Result<()> {
        self.receive(piece, Some(content))
    }
}
