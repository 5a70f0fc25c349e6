//! Computes the digest of a file's content.

use std::fmt;
use std::io::{self, Read};

use twox_hash::XxHash3_128;

/// The XXH3-128 of a file's stored bytes.
///
/// XXH3 is not a cryptographic hash, so an attacker could produce two versions of a file with the same digest. The harm
/// is small: a run that writes the second version sees no change, and the first version stays published. So attackers
/// can only prevent changes to their own pages from being published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Digest(u128);

/// The digest of bytes that arrive in parts.
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

    /// Parses the output of `Display`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits: &[u8; 32] = text.as_bytes().try_into().ok()?;
        let mut digest = 0;
        for digit in digits {
            let value = match digit {
                b'0'..=b'9' => digit - b'0',
                b'a'..=b'f' => digit - b'a' + 10,
                _ => return None,
            };
            digest = digest << 4 | u128::from(value);
        }
        Some(Self(digest))
    }

    /// Returns the 32 hexadecimal digits of the digest.
    pub(super) fn digits(self) -> [u8; 32] {
        let mut digits = [0; 32];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0.to_be_bytes()) {
            let digit = |value: u8| b"0123456789abcdef"[usize::from(value & 15)];
            pair.copy_from_slice(&[digit(byte >> 4), digit(byte)]);
        }
        digits
    }
}

/// Returns the digest of a file's bytes: their XXH3-128 as 32 hexadecimal digits.
///
/// With [`Names::Digest`](crate::publish::Names::Digest), the name of a file ends with the first digits of its
/// digest.
///
/// ```
/// use sitemap_core::publish::files::content_digest;
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
        f.pad(str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_digest_can_be_read_again() {
        for number in [0, 1, 0x0123_4567_89ab_cdef, u128::MAX, u128::MAX << 4] {
            let digest = Digest(number);
            let text = digest.to_string();
            assert_eq!((text.as_str(), Digest::parse(&text)), (&*format!("{number:032x}"), Some(digest)));
            assert_eq!(format!("{digest:.8}"), text[..8]);
        }
        let text = Digest(0xab).to_string();
        for other in ["", &text[1..], &text.to_uppercase(), &text.replace('a', "g"), &format!("{text}0")] {
            assert_eq!(Digest::parse(other), None, "{other}");
        }
    }
}
