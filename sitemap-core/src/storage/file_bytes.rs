//! The bytes of a file in memory.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The bytes of a file in memory. Clones share them.
///
/// ```
/// use sitemap_core::storage::FileBytes;
///
/// let bytes = FileBytes::from(b"<urlset/>".to_vec());
/// assert!(bytes.starts_with(b"<urlset") && bytes.clone() == bytes);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct FileBytes(
    // A `Vec` becomes an `Arc<[u8]>` by a copy, for which a large file would be in memory twice.
    Arc<Vec<u8>>,
);

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
