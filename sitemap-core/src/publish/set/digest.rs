//! The digest of a file's content.

use std::fmt;
use std::io::{self, Read};

use twox_hash::XxHash3_128;

/// The XXH3-128 of a file's stored bytes.
///
/// XXH3 is not a cryptographic hash, so an attacker could make two versions of a file that have the same digest. The
/// harm is small: a run that writes the second version sees no change, and the first version stays published. So the
/// attacker only prevents a change to their own pages from being published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Digest(u128);

/// The unfinished digest of bytes that arrive in parts.
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

    /// Returns the digest of all bytes of a reader.
    pub(crate) fn of_reader(mut bytes: impl Read) -> io::Result<Self> {
        let mut digester = Digester::new();
        let mut piece = vec![0; 64 * 1024];
        loop {
            match bytes.read(&mut piece)? {
                0 => return Ok(digester.finish()),
                len => digester.update(&piece[..len]),
            }
        }
    }

    /// Returns the lower 64 bits of the digest.
    #[allow(clippy::cast_possible_truncation)] // The truncation keeps the lower half.
    pub(crate) fn low(self) -> u64 {
        self.0 as u64
    }

    /// Parses the text that `Display` writes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let digits = (text.len() == 32 && text.bytes().all(is_hex)).then_some(text)?;
        u128::from_str_radix(digits, 16).ok().map(Self)
    }
}

/// Returns the digest of a file's bytes: the 32 hexadecimal digits of their XXH3-128.
///
/// With [`Names::Digest`](crate::publish::Names::Digest), the name of a file ends with the first digits of its
/// digest.
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
    /// Writes 32 hexadecimal digits. With a precision such as `{:.8}`, writes only that many digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:032x}", self.0))
    }
}
