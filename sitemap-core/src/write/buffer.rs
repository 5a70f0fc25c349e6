//! A byte buffer. Strings are written through a [`Window`], a view of the buffer's free space.
//!
//! An entry consists of a dozen short strings. Appending each to a `Vec` would store and load the length of the `Vec`
//! each time, which takes as long as copying the string. A [`Window`] is faster, because it keeps its position in a
//! local variable.

// These functions run for every page. Inlining them lets the compiler keep values in registers instead of memory.
#![allow(clippy::inline_always)]

use std::fmt;
use std::mem;

/// The bytes written so far. Clearing the buffer keeps its allocation.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// The whole allocation. The bytes before `end` are the content; all others are zeros or left over from earlier
    /// use.
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

    /// Truncates the content to the first `len` bytes.
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

    /// Returns a window with at least `len` bytes of free space. [`Window::close`] adds the written bytes to the
    /// buffer.
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

/// The free space at the end of a [`Buffer`], for writing strings. A string that does not fit is lost, so the caller
/// must request enough space from [`Buffer::window`].
pub(super) struct Window<'b> {
    /// The remaining free space. Each write shortens this slice at the front, so a single length comparison shows
    /// whether the next string fits.
    room: &'b mut [u8],
    len: usize,
    end: &'b mut usize,
}

impl<'b> Window<'b> {
    /// Returns the same window as a new value that the compiler can keep in registers.
    #[inline]
    pub(super) fn taken(self) -> Window<'b> {
        let Self { room, len, end } = self;
        Window { room, len, end }
    }

    /// Writes a string of constant length, without a call to `memcpy`.
    #[inline]
    pub(super) fn put<const N: usize>(&mut self, text: &[u8; N]) {
        self.put_with(|room| {
            *room = *text;
            N
        });
    }

    /// Writes the first `len` bytes of a string of constant length.
    #[inline]
    pub(super) fn put_first<const N: usize>(&mut self, text: &[u8; N], len: usize) {
        self.put_with(|room| {
            *room = *text;
            len
        });
    }

    /// Writes a string of any length.
    pub(super) fn put_slice(&mut self, text: &[u8]) {
        debug_assert!(text.len() <= self.room.len(), "the window is too small");
        if let Some((room, rest)) = mem::take(&mut self.room).split_at_mut_checked(text.len()) {
            room.copy_from_slice(text);
            self.room = rest;
        }
    }

    /// Calls `write`, which writes at most `N` bytes and returns how many.
    ///
    /// `write` stores the bytes directly in the buffer. Building a string byte by byte elsewhere and then copying it
    /// would be slow.
    #[inline(always)]
    pub(super) fn put_with<const N: usize>(&mut self, write: impl FnOnce(&mut [u8; N]) -> usize) {
        let room = mem::take(&mut self.room);
        if let Some(text) = room.first_chunk_mut() {
            let len = write(text);
            self.room = room.get_mut(len..).unwrap_or_default();
        }
    }

    /// Adds the written bytes to the buffer.
    #[inline]
    pub(super) fn close(self) {
        *self.end += self.len - self.room.len();
    }
}
