//! Blocks of text, in the form stored in the state file.

use std::fmt;

/// The two hashes that represent one block of a page's text.
///
/// Two blocks have the same `text` if their words, link targets and images are the same. They have the same `shape` if
/// their words are the same apart from dates, times and generated tokens.
///
/// ```
/// use sitemap_pages::content::Blocks;
///
/// let monday = Blocks::of_html(b"<p>Built 2026-11-23 at 10:03</p>");
/// let friday = Blocks::of_html(b"<p>Built 2026-11-27 at 18:40</p>");
/// assert_ne!(monday[0].text, friday[0].text);
/// assert_eq!(monday[0].shape, friday[0].shape);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Block {
    /// The hash of the text, including its link targets and images.
    pub text: u32,
    /// The hash of the words, ignoring everything that varies between builds.
    pub shape: u32,
}

impl Block {
    /// Returns both hashes as one number, with the text hash in the lower half.
    fn to_word(self) -> u64 {
        u64::from(self.text) | u64::from(self.shape) << 32
    }

    #[expect(clippy::cast_possible_truncation, reason = "the lower half is that of the text")]
    fn from_word(word: u64) -> Self {
        Self { text: word as u32, shape: (word >> 32) as u32 }
    }
}

/// The blocks of a page's main content, in order.
///
/// Each block takes eight bytes in the state file.
///
/// ```
/// use sitemap_pages::content::Blocks;
///
/// let page = b"<title>Chairs</title><nav>Home</nav><main><h1>Chairs</h1><p>Made of oak.</p></main>";
/// let blocks = Blocks::of_html(page);
/// assert_eq!(blocks.len(), 3);
/// assert_eq!(blocks[0], blocks[1], "the title and the heading have the same text");
///
/// let stored: Vec<u8> = blocks.to_bytes();
/// assert_eq!(stored.len(), 24);
/// assert_eq!(Blocks::from_bytes(&stored), Some(blocks));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Blocks(Vec<Block>);

impl Blocks {
    /// The maximum number of blocks in a page. Once it is reached, all further text becomes part of the last block.
    pub const MAX: usize = 16_384;

    /// Returns the blocks as bytes, eight per block.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 * self.0.len());
        for block in &self.0 {
            bytes.extend_from_slice(&block.to_word().to_le_bytes());
        }
        bytes
    }

    /// Reads blocks from the bytes that [`to_bytes`](Self::to_bytes) returns. Returns `None` if the length is not a
    /// multiple of eight.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, []) = bytes.as_chunks() else { return None };
        Some(Self(words.iter().map(|word| Block::from_word(u64::from_le_bytes(*word))).collect()))
    }
}

impl From<Vec<Block>> for Blocks {
    fn from(blocks: Vec<Block>) -> Self {
        Self(blocks)
    }
}

impl std::ops::Deref for Blocks {
    type Target = [Block];

    fn deref(&self) -> &[Block] {
        &self.0
    }
}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|block| (block.text, block.shape))).finish()
    }
}
