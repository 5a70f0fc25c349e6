//! What tells a file's content from another's.

use std::fmt;
use std::io::{self, Read};

use twox_hash::XxHash3_128;

/// The XXH3-128 of a file's bytes as they are stored.
///
/// Not for use against somebody who makes two files alike on purpose: he would keep a change of his
/// own pages from being published, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Digest(u128);

#[derive(Clone)]
pub(crate) struct Digester(Box<XxHash3_128>);

impl Digester {
    pub(crate) fn new() -> Self {
        Self(Box::new(XxHash3_128::new()))
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    pub(crate) fn finish(&self) -> Digest {
        Digest(self.0.finish_128())
    }
}

impl Digest {
    /// Returns the digest of some bytes.
    #[must_use]
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(XxHash3_128::oneshot(bytes))
    }

    pub(crate) fn of_all(mut bytes: impl Read) -> io::Result<Self> {
        let mut digester = Digester::new();
        let mut piece = vec![0; 64 * 1024];
        loop {
            match bytes.read(&mut piece)? {
                0 => return Ok(digester.finish()),
                len => digester.update(&piece[..len]),
            }
        }
    }

    /// The lower half.
    #[allow(clippy::cast_possible_truncation)] // that is the half
    pub(crate) fn low(self) -> u64 {
        self.0 as u64
    }

    /// The inverse of `Display`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let digits = (text.len() == 32 && text.bytes().all(is_hex)).then_some(text)?;
        u128::from_str_radix(digits, 16).ok().map(Self)
    }
}

/// Returns the digest of a file's bytes, 32 hexadecimal digits of their XXH3-128.
///
/// With [`Names::Digest`](crate::publish::Names::Digest) the name of a file ends with the first digits of it.
///
/// ```
/// use sitemap_core::publish::content_digest;
///
/// assert_eq!(content_digest(b""), "99aa06d3014798d86001c324468d497f");
/// ```
#[must_use]
pub fn content_digest(bytes: &[u8]) -> String {
    Digest::of(bytes).to_string()
}

impl fmt::Debug for Digester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Digester").field(&self.finish()).finish()
    }
}

impl fmt::Display for Digest {
    /// 32 hexadecimal digits, or the first of them: `{:.8}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:032x}", self.0))
    }
}
