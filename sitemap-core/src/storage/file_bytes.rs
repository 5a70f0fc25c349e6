//! The bytes of a file in memory.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The bytes of a file in memory. Clones share the same bytes.
///
/// ```
/// use sitemap_core::storage::FileBytes;
///
/// let bytes = FileBytes::from(b"<urlset/>".to_vec());
/// assert!(bytes.starts_with(b"<urlset") && bytes.clone() == bytes);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct FileBytes(
    // Converting a `Vec` to an `Arc<[u8]>` copies it, so a large file would be in memory twice.
    Arc<Vec<u8>>,
);

/// The size in bytes from which a file is large.
const LARGE: usize = 256 * 1024;

/// The minimum capacity of a buffer for a large file. glibc allocates a buffer of more than 32 MiB from the system, and
/// returns it when the file is dropped. Smaller buffers come from the heap of their thread. glibc keeps the free part
/// of that heap, which would add tens of MiB in a server with many threads.
const FROM_SYSTEM: usize =
    if cfg!(all(target_env = "gnu", target_pointer_width = "64")) { 33 * 1024 * 1024 } else { 0 };

impl FileBytes {
    /// Returns an empty buffer for a file of about `len` bytes.
    ///
    /// With glibc, the buffer of a large file has a capacity of 33 MiB. Only the filled part uses memory, and
    /// [`FileBytes::from`] returns the rest to the system, so a server's memory use doesn't grow each time it replaces
    /// a file.
    ///
    /// ```
    /// use sitemap_core::storage::FileBytes;
    ///
    /// let mut buffer = FileBytes::buffer(9);
    /// buffer.extend_from_slice(b"<urlset/>");
    /// assert_eq!(FileBytes::from(buffer).len(), 9);
    /// ```
    #[must_use]
    pub fn buffer(len: usize) -> Vec<u8> {
        if len < LARGE { Vec::new() } else { Vec::with_capacity(len.max(FROM_SYSTEM)) }
    }

    /// Reserves space for more bytes of a file of unknown length.
    pub(super) fn reserve(buffer: &mut Vec<u8>, more: usize) {
        if buffer.len() + more >= LARGE && buffer.capacity() < FROM_SYSTEM {
            buffer.reserve_exact(FROM_SYSTEM - buffer.len());
        }
    }
}

impl From<Vec<u8>> for FileBytes {
    fn from(mut bytes: Vec<u8>) -> Self {
        bytes.shrink_to_fit();
        Self(Arc::new(bytes))
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for FileBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileBytes({} bytes)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_no_more_of_its_buffer_than_it_needs() {
        let mut known = FileBytes::buffer(LARGE);
        assert!(known.capacity() >= LARGE);
        known.extend([b'a'; 10]);
        let mut unknown = FileBytes::buffer(0);
        assert_eq!(unknown.capacity(), 0);
        for _ in 0..2 {
            FileBytes::reserve(&mut unknown, LARGE / 2);
            unknown.extend(vec![b'a'; LARGE / 2]);
        }
        for (buffer, len) in [(known, 10), (unknown, LARGE)] {
            assert!(buffer.capacity() >= FROM_SYSTEM);
            let bytes = FileBytes::from(buffer);
            assert_eq!((bytes.len(), bytes.0.capacity()), (len, len));
        }
    }
}
