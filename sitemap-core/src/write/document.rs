//! A [`Document`], which urlsets, text sitemaps and sitemap indexes are based on: a head, entries and a tail.
//!
//! Each entry is written completely or not at all. An entry is rejected if it would push the document, including its
//! tail, over a limit.

use super::buffer::Buffer;
use super::sink::TextSink;
use super::size::{Content, DocumentSize};
use crate::error::{Error, ErrorKind};
use crate::value::LastMod;

/// The approximate number of bytes between cuts. A cut is a position where a piece may end; the sink receives the
/// document piece by piece.
const CUT: usize = 128 * 1024;

/// The initial capacity of a document in bytes. It is small because a set with hash buckets has many small documents.
const START: usize = 16 * 1024;

/// The result of adding a draft, that is, new entries, to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "if the document is full, discard the draft or move it to the next document"]
pub(crate) enum Room {
    /// The draft is part of the document.
    Enough,
    /// The draft would push the document over a limit.
    Full,
}

/// A document that is being written.
///
/// Entries are first written to a [`draft`](Document::draft), which the caller then accepts or discards. The draft is
/// in the document's own buffer, so accepting it copies nothing.
#[derive(Debug)]
pub(crate) struct Document<S> {
    sink: S,
    /// The accepted bytes that the sink has not received yet, followed by the draft.
    pending: Buffer,
    /// The number of accepted bytes in `pending`.
    accepted: usize,
    /// The position of the latest cut in `pending`, or 0 if there is none.
    cut: usize,
    /// The minimum size of a piece in bytes. At each cut, the accepted bytes are passed to the sink if there are at
    /// least this many.
    piece: usize,
    tail: &'static str,
    max: DocumentSize,
    head_len: u64,
    /// The size of the document if it ended now, including the tail.
    size: DocumentSize,
    failed: bool,
}

impl<S: TextSink> Document<S> {
    pub(super) fn new(sink: S, head: &str, tail: &'static str, max: DocumentSize) -> Self {
        let piece = sink.piece_len();
        let mut document = Self {
            sink,
            pending: Buffer::with_capacity(START),
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

    /// Replaces the head and removes all entries. Call it only before the first entry.
    pub(super) fn set_head(&mut self, head: &str) {
        self.pending.clear();
        self.pending.append(head.as_bytes());
        self.accepted = self.pending.len();
        self.head_len = head.len() as u64;
        self.size = DocumentSize { entries: 0, bytes: self.head_len + self.tail.len() as u64 };
    }

    /// Returns the buffer for appending the next entries.
    #[inline]
    pub(super) fn draft(&mut self) -> &mut Buffer {
        &mut self.pending
    }

    /// Adds the draft, which contains `entries` entries, to the document. If the document is full, returns
    /// [`Room::Full`] and keeps the draft.
    ///
    /// # Errors
    ///
    /// Fails with `TooLarge` and discards the draft if it would not even fit into an empty document. Fails with `Io` if
    /// the sink fails, and with `Aborted` if the sink failed in an earlier call.
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

    /// Checks that the draft would fit into an empty document. Otherwise, discards the draft and returns an error.
    #[cold]
    fn check_alone(&mut self, entries: u64, bytes: u64) -> Result<(), Error> {
        if self.failed {
            self.discard();
            return Err(ErrorKind::Aborted.into());
        }
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

    /// Returns the bytes of the draft, so that another document can continue with them.
    pub(super) fn draft_bytes(&self) -> &[u8] {
        &self.pending.written()[self.accepted..]
    }

    pub(crate) fn size(&self) -> DocumentSize {
        self.size
    }

    /// Writes the tail and passes everything pending to the sink.
    pub(super) fn finish(
        mut self,
        newest: Option<LastMod>,
        by_url: bool,
    ) -> Result<(S, DocumentSize), Error> {
        if self.failed {
            return Err(ErrorKind::Aborted.into());
        }
        self.discard();
        self.pending.append(self.tail.as_bytes());
        let content = Content { size: self.size, newest, by_url };
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
        let taken = self.sink.take(&mut self.pending);
        self.accepted = 0;
        self.cut = 0;
        taken.map_err(|error| {
            // The sink may have written only part of the piece, so the document cannot be continued. With this limit,
            // the document is full for any further draft, and `check_alone` returns `Aborted`.
            self.failed = true;
            self.max.entries = 0;
            Error::write(error)
        })
    }
}
