//! What all documents share: a head, items that are written whole or not at all, and a tail that
//! always fits.

use std::io::Write;

use super::buffer::Buffer;
use crate::error::{Error, ErrorKind};

/// Handed on to the writer beneath in pieces of about this many bytes.
const PIECE: usize = 128 * 1024;

/// Whether there was room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a full document has not taken the record"]
pub enum Fit {
    /// All of it was written.
    Written,
    /// Nothing of it was written, because it would have broken a limit.
    Full,
}

/// How large a finished document is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// URLs, or sitemaps in an index.
    pub items: u64,
    /// Bytes before compression.
    pub bytes: u64,
}

/// A document in the making.
///
/// Items are written to the end of [`draft`](Document::draft) and only then accepted or discarded,
/// which spares a copy.
#[derive(Debug)]
pub(crate) struct Document<W> {
    out: W,
    /// What is accepted but not yet handed on, then what is not yet accepted.
    pending: Buffer,
    accepted: usize,
    tail: &'static str,
    max: Written,
    head_len: u64,
    /// What the document has if it ends now, its tail included.
    size: Written,
    failed: bool,
}

impl<W: Write> Document<W> {
    pub(super) fn new(out: W, head: &str, tail: &'static str, max: Written) -> Self {
        let mut document = Self {
            out,
            pending: Buffer::with_capacity(PIECE + PIECE / 4),
            accepted: 0,
            tail,
            max,
            head_len: 0,
            size: Written::default(),
            failed: false,
        };
        document.set_head(head);
        document
    }

    /// Replaces the head; to be called before the first item.
    pub(super) fn set_head(&mut self, head: &str) {
        self.pending.truncate(0);
        self.pending.append(head.as_bytes());
        self.accepted = self.pending.len();
        self.head_len = head.len() as u64;
        self.size = Written { items: 0, bytes: self.head_len + self.tail.len() as u64 };
    }

    /// Where to write the next items, after what is there.
    #[inline]
    pub(super) fn draft(&mut self) -> &mut Buffer {
        &mut self.pending
    }

    /// Makes the draft, which holds so many items, part of the document. When the document is full,
    /// the draft stays.
    ///
    /// # Errors
    ///
    /// If no document of this kind could hold the draft, which is then discarded, or the writer
    /// beneath fails.
    #[inline]
    pub(super) fn accept(&mut self, items: u64) -> Result<Fit, Error> {
        let bytes = self.draft_bytes().len() as u64;
        let after = Written { items: self.size.items + items, bytes: self.size.bytes + bytes };
        if after.items > self.max.items || after.bytes > self.max.bytes {
            return self.check_alone(items, bytes).map(|()| Fit::Full);
        }
        self.size = after;
        self.accepted = self.pending.len();
        if self.accepted >= PIECE {
            self.hand_on()?;
        }
        Ok(Fit::Written)
    }

    /// Discards a draft that would not even fit into an empty document.
    #[cold]
    fn check_alone(&mut self, items: u64, bytes: u64) -> Result<(), Error> {
        let bytes = self.head_len + bytes + self.tail.len() as u64;
        if items <= self.max.items && bytes <= self.max.bytes {
            return Ok(());
        }
        self.discard();
        Err(ErrorKind::TooLarge { urls: items, max_urls: self.max.items, bytes, max_bytes: self.max.bytes }
            .into())
    }

    /// Forgets the draft.
    pub(super) fn discard(&mut self) {
        self.pending.truncate(self.accepted);
    }

    /// The draft, to be written to another document.
    pub(super) fn draft_bytes(&self) -> &[u8] {
        &self.pending.written()[self.accepted..]
    }

    pub(crate) fn size(&self) -> Written {
        self.size
    }

    /// Writes the tail and all that is pending.
    pub(crate) fn finish(mut self) -> Result<(W, Written), Error> {
        self.discard();
        self.pending.append(self.tail.as_bytes());
        self.hand_on()?;
        self.out.flush().map_err(|error| Error::io("write", None, error))?;
        Ok((self.out, self.size))
    }

    #[cold]
    fn hand_on(&mut self) -> Result<(), Error> {
        if self.failed {
            return Err(ErrorKind::Aborted.into());
        }
        self.out.write_all(self.pending.written()).map_err(|error| {
            // How much arrived is unknown, so nothing may follow it.
            self.failed = true;
            Error::io("write", None, error)
        })?;
        self.pending.truncate(0);
        self.accepted = 0;
        Ok(())
    }
}
