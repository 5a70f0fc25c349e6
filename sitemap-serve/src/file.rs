//! One served file: its bytes and the values of its headers.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::HeaderValue;

use sitemap_core::publish::{content_digest, content_type};

/// The minimum size of a file to compress, in bytes. For smaller files, compression saves too little to be worth
/// the overhead.
const MIN_COMPRESSED_LEN: usize = 1024;

#[derive(Debug)]
pub(super) struct File {
    bytes: Bytes,
    content_type: &'static str,
    tag: Option<HeaderValue>,
    gzip_tag: Option<HeaderValue>,
    modified: Option<(u64, HeaderValue)>,
    is_immutable: bool,
    gzip: OnceLock<Option<Bytes>>,
}

/// The content coding of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Identity,
    Gzip,
}

impl File {
    pub(super) fn new(name: &str, bytes: Bytes, modified: Option<SystemTime>) -> Self {
        let digest = content_digest(&bytes);
        let gzip_tag = HeaderValue::try_from(format!("\"{digest}-gzip\""));
        Self {
            content_type: content_type(name),
            tag: HeaderValue::try_from(format!("\"{digest}\"")).ok(),
            // Compression is deterministic, so the digest of the plain bytes also identifies the compressed bytes.
            gzip_tag: gzip_tag.ok().filter(|_| is_compressible(name, &bytes)),
            modified: modified.and_then(http_date),
            is_immutable: is_named_by(name, &digest),
            gzip: OnceLock::new(),
            bytes,
        }
    }

    pub(super) fn content_type(&self) -> &'static str {
        self.content_type
    }

    /// Returns the strong entity tag of the file in this content coding.
    pub(super) fn tag(&self, coding: Coding) -> Option<&HeaderValue> {
        match coding {
            Coding::Identity => self.tag.as_ref(),
            Coding::Gzip => self.gzip_tag.as_ref(),
        }
    }

    /// Returns the date of the last change, in seconds since 1970 and as a header value.
    pub(super) fn modified(&self) -> Option<&(u64, HeaderValue)> {
        self.modified.as_ref()
    }

    /// Returns `true` if the name contains the digest of the bytes, so that the file of this name never
    /// changes.
    pub(super) fn is_immutable(&self) -> bool {
        self.is_immutable
    }

    /// Returns `true` if the file can be sent compressed. The response then depends on `Accept-Encoding`.
    pub(super) fn is_compressible(&self) -> bool {
        self.gzip_tag.is_some()
    }

    /// Returns `true` if the bytes are available without compressing them first.
    pub(super) fn is_ready(&self, coding: Coding) -> bool {
        coding == Coding::Identity || self.gzip.get().is_some()
    }

    /// Returns the bytes in this content coding. The first call with `Gzip` compresses them, which is slow.
    pub(super) fn bytes(&self, coding: Coding) -> &Bytes {
        match coding {
            Coding::Identity => &self.bytes,
            Coding::Gzip => self.gzip.get_or_init(|| compress(&self.bytes)).as_ref().unwrap_or(&self.bytes),
        }
    }

    /// Returns `true` if the file's bytes are in the same memory as `bytes`, and not just equal.
    pub(super) fn shares(&self, bytes: &[u8]) -> bool {
        self.bytes.as_ptr() == bytes.as_ptr() && self.bytes.len() == bytes.len()
    }

    /// Returns the number of bytes in memory, plain and compressed.
    pub(super) fn size(&self) -> u64 {
        let compressed = self.gzip.get().and_then(Option::as_ref);
        (self.bytes.len() + compressed.map_or(0, Bytes::len)) as u64
    }
}

fn is_compressible(name: &str, bytes: &Bytes) -> bool {
    cfg!(feature = "gzip") && bytes.len() >= MIN_COMPRESSED_LEN && content_type(name) != content_type(".gz")
}

/// Returns `true` if the stem of a name ends with the digest or its first eight digits, as
/// [`Names::Digest`](sitemap_core::publish::Names::Digest) writes it.
fn is_named_by(name: &str, digest: &str) -> bool {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    stem.rsplit_once('-').is_some_and(|(_, end)| matches!(end.len(), 8 | 32) && digest.starts_with(end))
}

/// Converts a date to seconds since 1970 and to an HTTP date. Returns `None` if the date is not between 1970 and
/// 9999. A date in the future is replaced with the current date.
fn http_date(date: SystemTime) -> Option<(u64, HeaderValue)> {
    const YEAR_10000: u64 = 253_402_300_800;

    let date = date.min(SystemTime::now());
    let seconds = date.duration_since(UNIX_EPOCH).ok()?.as_secs();
    if seconds >= YEAR_10000 {
        return None;
    }
    Some((seconds, HeaderValue::try_from(httpdate::fmt_http_date(date)).ok()?))
}

#[cfg(feature = "gzip")]
fn compress(bytes: &[u8]) -> Option<Bytes> {
    use std::io::Write;

    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    out.write_all(bytes).and_then(|()| out.finish()).ok().map(Bytes::from)
}

#[cfg(not(feature = "gzip"))]
fn compress(_: &[u8]) -> Option<Bytes> {
    None
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn file(name: &str) -> File {
        File::new(name, Bytes::from_static(b""), None)
    }

    #[test]
    fn a_type_for_each_kind_of_file() {
        for (name, content_type) in [
            ("sitemap.xml", "application/xml"),
            ("sitemap-a-1.txt", "text/plain; charset=utf-8"),
            ("sitemap-a-1.xml.gz", "application/gzip"),
            ("sitemap-a-1.txt.gz", "application/gzip"),
            ("sitemap.css", "text/css; charset=utf-8"),
        ] {
            assert_eq!(file(name).content_type(), content_type);
        }
    }

    #[test]
    fn only_a_file_named_by_its_digest_is_immutable() {
        // The XXH3-128 digest of an empty file is 99aa06d3014798d86001c324468d497f.
        for name in ["sitemap-a-1-99aa06d3.xml.gz", "sitemap-a-1-99aa06d3014798d86001c324468d497f.xml"] {
            assert!(file(name).is_immutable(), "{name}");
        }
        for name in ["sitemap.xml", "sitemap-a-1.xml", "sitemap-a-1-99aa06d4.xml", "sitemap-a-20240101.xml"] {
            assert!(!file(name).is_immutable(), "{name}");
        }
    }

    #[test]
    fn a_date_that_http_cannot_express_is_left_out() {
        let date = |seconds| http_date(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        assert_eq!(date(784_111_777).1, "Sun, 06 Nov 1994 08:49:37 GMT");
        assert!(http_date(UNIX_EPOCH - Duration::from_secs(1)).is_none());
        // A date in the future is replaced with the current date.
        assert!(date(300_000_000_000).0 < 253_402_300_800);
    }

    #[cfg(feature = "gzip")]
    #[test]
    fn small_and_compressed_files_are_not_compressed() {
        let of = |name, len| File::new(name, Bytes::from(vec![b'a'; len]), None);
        assert!(of("sitemap.xml", 1024).is_compressible());
        assert!(!of("sitemap.xml", 1023).is_compressible());
        assert!(!of("sitemap-a-1.xml.gz", 2048).is_compressible());
        assert!(of("sitemap.xml", 4096).bytes(Coding::Gzip).len() < 100);
        assert_eq!(of("sitemap.xml", 4096).bytes(Coding::Gzip)[..2], [0x1F, 0x8B]);
    }
}
