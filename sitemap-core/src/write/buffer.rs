//! A byte buffer that is written through windows.
//!
//! An entry is a dozen short pieces. Appending them to a `Vec` one by one stores and reloads its
//! length each time, which costs as much as the copying; in a window the position is a local.

use std::fmt;
use std::mem;

/// Bytes written so far, with room behind them that is kept from one use to the next.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// All initialised; what lies past `end` is left over.
    bytes: Vec<u8>,
    end: usize,
}

impl Buffer {
    pub(crate) fn with_capacity(len: usize) -> Self {
        Self { bytes: vec![0; len], end: 0 }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.end
    }

    /// Empties the buffer.
    pub(crate) fn clear(&mut self) {
        self.end = 0;
    }

    /// Keeps only this many bytes.
    pub(super) fn truncate(&mut self, len: usize) {
        self.end = self.end.min(len);
    }

    pub(super) fn append(&mut self, text: &[u8]) {
        let mut window = self.window(text.len());
        window.put_slice(text);
        window.close();
    }

    pub(crate) fn written(&self) -> &[u8] {
        &self.bytes[..self.end]
    }

    /// Room for at least `len` bytes, which count as written by [`Window::close`].
    #[inline]
    pub(super) fn window(&mut self, len: usize) -> Window<'_> {
        if self.bytes.len() < self.end + len {
            self.grow(len);
        }
        let room = &mut self.bytes[self.end..];
        Window { len: room.len(), room, end: &mut self.end }
    }

    #[cold]
    fn grow(&mut self, len: usize) {
        self.bytes.resize((self.end + len).next_power_of_two(), 0);
    }
}

impl fmt::Write for Buffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.append(text.as_bytes());
        Ok(())
    }
}

/// Room in a [`Buffer`], of which its opener has asked for enough; what exceeds it is dropped.
pub(super) struct Window<'b> {
    /// Shrinks from the front: one comparison tells whether a text fits.
    room: &'b mut [u8],
    len: usize,
    end: &'b mut usize,
}

impl<'b> Window<'b> {
    /// The same window, as a value of the caller's own.
    #[inline]
    pub(super) fn taken(self) -> Window<'b> {
        let Self { room, len, end } = self;
        Window { room, len, end }
    }

    /// Writes a text of known length, which takes no call.
    #[inline]
    pub(super) fn put<const N: usize>(&mut self, text: &[u8; N]) {
        self.put_with(|room| {
            *room = *text;
            N
        });
    }

    /// Writes the first `len` bytes of a text of known length.
    #[inline]
    pub(super) fn put_first<const N: usize>(&mut self, text: &[u8; N], len: usize) {
        self.put_with(|room| {
            *room = *text;
            len
        });
    }

    /// Writes a text of any length.
    pub(super) fn put_slice(&mut self, text: &[u8]) {
        if let Some((room, rest)) = mem::take(&mut self.room).split_at_mut_checked(text.len()) {
            room.copy_from_slice(text);
            self.room = rest;
        }
    }

    /// Has a text of at most `N` bytes written, whose length `write` returns.
    ///
    /// In place, since bytes that were just stored one by one are slow to load all at once.
    #[inline]
    pub(super) fn put_with<const N: usize>(&mut self, write: impl FnOnce(&mut [u8; N]) -> usize) {
        let room = mem::take(&mut self.room);
        if let Some(text) = room.first_chunk_mut() {
            let len = write(text);
            self.room = room.get_mut(len..).unwrap_or_default();
        }
    }

    /// Makes what was put part of the buffer.
    #[inline]
    pub(super) fn close(self) {
        *self.end += self.len - self.room.len();
    }
}
