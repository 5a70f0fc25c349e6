//! The digest of a page's main content.

use std::fmt;

use super::block::Block;
use super::hash::hash128;

/// The digest of a page's main content: XXH3-128 over the text hashes of its own blocks, in order.
///
/// Within one run, equal digests mean equal content. To find out whether a page has changed since an earlier run, use
/// [`ContentChange::between`](super::ContentChange::between), which takes the templates of both runs into account.
///
/// ```
/// use sitemap_pages::content::{Blocks, ContentDigest, Folder, SharedBlocks};
///
/// let shared = SharedBlocks::default();
/// let digest = |html: &str| shared.digest(&Blocks::of_html(html.as_bytes()), Folder::default());
/// assert_eq!(digest("<p>Oak  chairs"), digest("<div><b>Oak</b> chairs</div>"));
/// assert_ne!(digest("<p>Oak chairs"), digest("<p>Elm chairs"));
///
/// let stored = digest("<p>Oak chairs").to_bytes();
/// assert_eq!(ContentDigest::from_bytes(stored), digest("<p>Oak chairs"));
/// assert_eq!(ContentDigest::from_bytes([0x3f; 16]).to_string(), "3f".repeat(16));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentDigest([u8; 16]);

impl ContentDigest {
    pub(super) fn of(blocks: impl Iterator<Item = Block>) -> Self {
        let mut bytes = Vec::with_capacity(1024);
        blocks.for_each(|block| bytes.extend_from_slice(&block.text.to_le_bytes()));
        Self(hash128(&bytes))
    }

    /// Returns the digest of other content, such as the fields of a record shown on a page.
    pub fn of_bytes(content: &[u8]) -> Self {
        Self(hash128(content))
    }

    /// Returns the digest as bytes, in the form stored in the state file.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// Creates a digest from the bytes stored in the state file.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
