//! The part that all documents share: a head, entries that are written whole or not at all, and a tail that
//! always fits.

use super::buffer::Buffer;
use super::sink::TextSink;
use super::size::{Content, DocumentSize};
use crate::error::{Error, ErrorKind};
use crate::value::LastMod;

/// A document can be cut into pieces after about this many bytes each.
const CUT: usize = 128 * 1024;

/// Whether a document had room for a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a full document has not taken the draft"]
pub(crate) enum Room {
    /// The draft is part of the document.
    Enough,
    /// The draft would break a limit.
    Full,
}

/// A document that is being written.
///
/// Entries are written to the end of the [`draft`](Document::draft) and only then accepted or discarded, which
/// saves a copy.
#[derive(Debug)]
pub(crate) struct Document<S> {
    sink: S,
    /// The accepted text that was not handed on yet, then the draft.
    pending: Buffer,
    accepted: usize,
    /// The last place where the accepted text can be cut.
    cut: usize,
    /// The size from which on the pending text is handed on at the next cut.
    piece: usize,
    tail: &'static str,
    max: DocumentSize,
    head_len: u64,
    /// The size of the document if it ends now, its tail included.
    size: DocumentSize,
    failed: bool,
}

impl<S: TextSink> Document<S> {
    pub(super) fn new(sink: S, head: &str, tail: &'static str, max: DocumentSize) -> Self {
        let piece = sink.piece_len();
        let mut document = Self {
            sink,
            pending: Buffer::with_capacity(piece.max(CUT) + CUT / 4),
            accepted: 0,
            cut: 0,
            piece,
            tail,
            max,
            head_len: 0,
            size: DocumentSize::default(),
            failed: false,
        };
        document.set_head(head);
        document
    }

    /// Replaces the head. Called before the first entry.
    pub(super) fn set_head(&mut self, head: &str) {
        self.pending.clear();
        self.pending.append(head.as_bytes());
        self.accepted = self.pending.len();
        self.head_len = head.len() as u64;
        self.size = DocumentSize { entries: 0, bytes: self.head_len + self.tail.len() as u64 };
    }

    /// Returns the buffer to write the next entries to, after what it holds.
    #[inline]
    pub(super) fn draft(&mut self) -> &mut Buffer {
        &mut self.pending
    }

    /// Makes the draft, which holds this many entries, part of the document. If the document is full, the draft
    /// is kept.
    ///
    /// # Errors
    ///
    /// If no document of this kind could hold the draft, which is then discarded, or the sink fails.
    #[inline]
    pub(super) fn accept(&mut self, entries: u64) -> Result<Room, Error> {
        let bytes = self.draft_bytes().len() as u64;
        let after = DocumentSize { entries: self.size.entries + entries, bytes: self.size.bytes + bytes };
        if after.entries > self.max.entries || after.bytes > self.max.bytes {
            return self.check_alone(entries, bytes).map(|()| Room::Full);
        }
        self.size = after;
        self.accepted = self.pending.len();
        if self.accepted - self.cut >= CUT {
            self.cut()?;
        }
        Ok(Room::Enough)
    }

    /// Discards a draft that would not even fit into an empty document.
    #[cold]
    fn check_alone(&mut self, entries: u64, bytes: u64) -> Result<(), Error> {
        let bytes = self.head_len + bytes + self.tail.len() as u64;
        if entries <= self.max.entries && bytes <= self.max.bytes {
            return Ok(());
        }
        self.discard();
        let (max_urls, max_bytes) = (self.max.entries, self.max.bytes);
        Err(ErrorKind::TooLarge { urls: entries, max_urls, bytes, max_bytes }.into())
    }

    /// Discards the draft.
    pub(super) fn discard(&mut self) {
        self.pending.truncate(self.accepted);
    }

    /// Returns the draft, for another document.
    pub(super) fn draft_bytes(&self) -> &[u8] {
        &self.pending.written()[self.accepted..]
    }

    pub(crate) fn size(&self) -> DocumentSize {
        self.size
    }

    /// Writes the tail and hands on everything that is pending.
    pub(super) fn finish(mut self, newest: Option<LastMod>) -> Result<(S, DocumentSize), Error> {
        if self.failed {
            return Err(ErrorKind::Aborted.into());
        }
        self.discard();
        self.pending.append(self.tail.as_bytes());
        let content = Content { size: self.size, newest };
        self.sink.end(&mut self.pending, content).map_err(Error::write)?;
        Ok((self.sink, self.size))
    }

    #[cold]
    fn cut(&mut self) -> Result<(), Error> {
        self.cut = self.accepted;
        if self.accepted >= self.piece { self.hand_on() } else { Ok(()) }
    }

    fn hand_on(&mut self) -> Result<(), Error> {
        if self.failed {
            return Err(ErrorKind::Aborted.into());
        }
        self.sink.take(&mut self.pending).map_err(|error| {
            // It is unknown how much arrived, so nothing may follow it.
            self.failed = true;
            Error::write(error)
        })?;
        self.accepted = 0;
        self.cut = 0;
        Ok(())
    }
}
