//! The way of one file's pieces to its storage: made in any order, stored in theirs.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use super::manifest::Kind;
use super::run::Run;
use super::staged::StagedFile;
use super::standing::{Content, Settled};
use crate::error::{Error, ErrorKind};
use crate::value::LastMod;
use crate::write::Written;

/// One file of a run.
#[derive(Debug)]
pub(super) struct Lane {
    run: Arc<Run>,
    name: String,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    file: File,
    /// The number of the piece that comes next.
    next: u64,
    /// Pieces that were done before those ahead of them.
    early: BTreeMap<u64, Ready>,
    #[cfg(feature = "gzip")]
    crc: flate2::Crc,
}

#[derive(Debug, Default)]
enum File {
    #[default]
    NotBegun,
    Open(StagedFile),
    Settled(Box<Settled>),
    Failed(Error),
    /// Its result was taken.
    Done,
}

/// A piece as it is stored.
#[derive(Debug)]
struct Ready {
    stored: Stored,
    end: Option<End>,
}

#[derive(Debug)]
enum Stored {
    Plain(Vec<u8>),
    #[cfg(feature = "gzip")]
    Gzip(super::gzip::Piece),
}

/// What a file has when it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) written: Written,
    pub(super) newest: Option<LastMod>,
}

impl State {
    /// Only the first error is kept.
    fn fail(&mut self, error: Error) {
        if !matches!(self.file, File::Failed(_) | File::Done) {
            self.file = File::Failed(error);
        }
    }
}

impl Lane {
    pub(super) fn new(run: &Arc<Run>, name: String) -> Self {
        Self { run: Arc::clone(run), name, state: Mutex::default() }
    }

    pub(super) fn run(&self) -> &Arc<Run> {
        &self.run
    }

    /// Whether pieces need neither be made nor wait.
    pub(super) fn is_stored_at_once(&self) -> bool {
        self.run.queue.is_none() && self.run.options.gzip.is_none()
    }

    /// Stores the next piece of such a file.
    pub(super) fn store(&self, text: &[u8]) {
        let mut state = self.state();
        state.next += 1;
        self.append(&mut state, text);
    }

    /// Makes a piece what it is stored as, and stores it when it is its turn.
    pub(super) fn make(&self, number: u64, text: Vec<u8>, end: Option<End>) {
        match self.stored(number == 0, text, end.is_some()) {
            Ok(stored) => self.arrive(number, Ready { stored, end }),
            Err(error) => self.state().fail(Error::io("compress", Some(&self.path()), error)),
        }
    }

    #[cfg(feature = "gzip")]
    fn stored(&self, is_first: bool, text: Vec<u8>, is_last: bool) -> io::Result<Stored> {
        let Some(level) = self.run.options.gzip else { return Ok(Stored::Plain(text)) };
        let level = flate2::Compression::new(level);
        let room = self.run.compressed.take();
        let piece = super::gzip::Piece::compress(&text, level, is_first, is_last, room)?;
        self.run.texts.give_back(text);
        Ok(Stored::Gzip(piece))
    }

    #[cfg(not(feature = "gzip"))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps)] // as with the feature
    fn stored(&self, _: bool, text: Vec<u8>, _: bool) -> io::Result<Stored> {
        Ok(Stored::Plain(text))
    }

    fn arrive(&self, number: u64, ready: Ready) {
        let state = &mut *self.state();
        state.early.insert(number, ready);
        while let Some(ready) = state.early.remove(&state.next) {
            state.next += 1;
            match ready.stored {
                Stored::Plain(text) => {
                    self.append(state, &text);
                    self.run.texts.give_back(text);
                }
                #[cfg(feature = "gzip")]
                Stored::Gzip(mut piece) => {
                    state.crc.combine(&piece.crc);
                    if ready.end.is_some() {
                        piece.stored.extend_from_slice(&super::gzip::trailer(&state.crc));
                    }
                    self.append(state, &piece.stored);
                    self.run.compressed.give_back(piece.stored);
                }
            }
            if let Some(end) = ready.end {
                self.settle(state, end);
            }
        }
    }

    fn append(&self, state: &mut State, bytes: &[u8]) {
        use io::Write;

        if matches!(state.file, File::NotBegun) {
            match StagedFile::create(self.run.storage(), &self.name) {
                Ok(file) => state.file = File::Open(file),
                Err(error) => state.fail(error),
            }
        }
        // All that follows an error is dropped.
        if let File::Open(file) = &mut state.file
            && let Err(error) = file.write_all(bytes)
        {
            state.fail(Error::io("write", Some(&self.path()), error));
        }
    }

    fn settle(&self, state: &mut State, end: End) {
        state.file = match std::mem::replace(&mut state.file, File::Done) {
            File::Open(file) => {
                let content = Content { kind: Kind::Pages, written: end.written, newest: end.newest };
                match file.seal() {
                    Ok(file) => File::Settled(Box::new(self.run.settle(&self.name, content, file))),
                    Err(error) => File::Failed(error),
                }
            }
            other => other,
        };
    }

    /// The error that has met the file, if one has.
    pub(super) fn check(&self) -> Result<(), Error> {
        let mut state = self.state();
        match std::mem::replace(&mut state.file, File::Done) {
            File::Failed(error) => Err(error),
            File::Done => Err(ErrorKind::Aborted.into()),
            other => {
                state.file = other;
                Ok(())
            }
        }
    }

    /// The whole file, when all its pieces were stored.
    pub(super) fn finish(&self) -> Result<Settled, Error> {
        match std::mem::replace(&mut self.state().file, File::Done) {
            File::Settled(settled) => Ok(*settled),
            File::Failed(error) => Err(error),
            File::NotBegun | File::Open(_) | File::Done => Err(ErrorKind::Aborted.into()),
        }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.run.storage().locate(&self.name)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| {
            // The storage panicked in the midst of a piece, so the file may lack a part of it.
            let mut state = poisoned.into_inner();
            state.fail(ErrorKind::Aborted.into());
            state
        })
    }
}
