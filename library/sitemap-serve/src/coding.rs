//! The content codings of responses, and how to compress files with them.

use bytes::Bytes;
#[cfg(any(feature = "brotli", feature = "gzip", feature = "zstd"))]
use sitemap_core::storage::FileBytes;

/// The content coding of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Identity,
    Gzip,
    Zstd,
    Brotli,
}

impl Coding {
    /// All codings, in the order of their discriminants.
    pub(super) const ALL: [Self; 4] = [Self::Identity, Self::Gzip, Self::Zstd, Self::Brotli];

    /// The compressed codings this build supports. If a client weights several of them the same, it gets the first.
    pub(super) const OFFERED: &[Self] = &[
        #[cfg(feature = "brotli")]
        Self::Brotli,
        #[cfg(feature = "zstd")]
        Self::Zstd,
        #[cfg(feature = "gzip")]
        Self::Gzip,
    ];

    /// Returns the coding's name in `Accept-Encoding` and `Content-Encoding`.
    ///
    /// Source: [IANA's registry](https://www.iana.org/assignments/http-parameters).
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Brotli => "br",
        }
    }

    /// Returns the encoded bytes, or `None` if this build does not support the coding.
    pub(super) fn encode(self, bytes: &Bytes) -> Option<Bytes> {
        match self {
            Self::Identity => Some(bytes.clone()),
            Self::Gzip => gzip(bytes),
            Self::Zstd => zstd(bytes),
            Self::Brotli => brotli(bytes),
        }
    }
}

/// Returns the bytes of a buffer and frees its unused capacity.
#[cfg(any(feature = "brotli", feature = "gzip", feature = "zstd"))]
fn shrunk(buffer: Vec<u8>) -> Bytes {
    Bytes::from_owner(FileBytes::from(buffer))
}

#[cfg(feature = "gzip")]
fn gzip(bytes: &[u8]) -> Option<Bytes> {
    use std::io::Write;

    let mut out = flate2::write::GzEncoder::new(FileBytes::buffer(bytes.len()), flate2::Compression::new(6));
    out.write_all(bytes).and_then(|()| out.finish()).ok().map(shrunk)
}

#[cfg(not(feature = "gzip"))]
fn gzip(_: &[u8]) -> Option<Bytes> {
    None
}

/// Decompresses the output of [`Coding::Gzip`].
#[cfg(feature = "gzip")]
pub(super) fn gunzip(bytes: &[u8]) -> Option<Bytes> {
    use std::io::Read;

    // Estimate the plain size as eight times the compressed size, so that `buffer` can tell whether the file is large.
    let mut out = FileBytes::buffer(bytes.len().saturating_mul(8));
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut out).ok().map(|_| shrunk(out))
}

#[cfg(not(feature = "gzip"))]
pub(super) fn gunzip(_: &[u8]) -> Option<Bytes> {
    None
}

#[cfg(feature = "zstd")]
fn zstd(bytes: &[u8]) -> Option<Bytes> {
    // A medium level, because a client is waiting for the compressed file.
    zstd::bulk::compress(bytes, 9).ok().map(shrunk)
}

#[cfg(not(feature = "zstd"))]
fn zstd(_: &[u8]) -> Option<Bytes> {
    None
}

#[cfg(feature = "brotli")]
fn brotli(bytes: &[u8]) -> Option<Bytes> {
    let params = brotli::enc::BrotliEncoderParams {
        // A medium quality, because a client is waiting for the compressed file.
        quality: 5,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut out = FileBytes::buffer(bytes.len());
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &params).ok()?;
    Some(shrunk(out))
}

#[cfg(not(feature = "brotli"))]
fn brotli(_: &[u8]) -> Option<Bytes> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_in_the_order_of_the_discriminants() {
        for (at, coding) in Coding::ALL.into_iter().enumerate() {
            assert_eq!(coding as usize, at);
        }
    }

    #[test]
    fn each_offered_coding_makes_text_smaller() {
        let text = Bytes::from("https://example.com/posts/".repeat(100));
        for coding in Coding::OFFERED {
            assert!(coding.encode(&text).is_some_and(|coded| coded.len() < 200), "{coding:?}");
        }
    }
}
