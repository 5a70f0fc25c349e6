//! A served file: its bytes and header values.

use std::sync::{Mutex, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::HeaderValue;

use super::coding::{self, Coding};
use super::lock::lock;
use sitemap_core::clock;
use sitemap_core::publish::files::{content_digest, content_type};

/// The smallest file worth compressing, in bytes.
const MIN_COMPRESSED_LEN: usize = 1024;

#[derive(Debug)]
pub(super) struct File {
    /// The plain bytes. `None` if only the gzip-compressed bytes are in memory.
    plain: Mutex<Option<Bytes>>,
    content_type: &'static str,
    /// The strong entity tags, one for each coding.
    tags: [Option<HeaderValue>; Coding::ALL.len()],
    modified: Option<(u64, HeaderValue)>,
    is_immutable: bool,
    is_compressible: bool,
    /// The bytes in each coding that a client has requested.
    coded: [OnceLock<Option<Bytes>>; Coding::ALL.len()],
}

impl File {
    pub(super) fn new(name: &str, bytes: Bytes, modified: Option<SystemTime>) -> Self {
        let digest = content_digest(&bytes);
        let is_compressible = is_compressible(name, &bytes);
        // Compression is deterministic, so the digest of the plain bytes also identifies the compressed bytes.
        let tags = Coding::ALL.map(|coding| match coding {
            Coding::Identity => HeaderValue::try_from(format!("\"{digest}\"")).ok(),
            _ if !is_compressible => None,
            coding => HeaderValue::try_from(format!("\"{digest}-{}\"", coding.name())).ok(),
        });
        Self {
            content_type: content_type(name),
            tags,
            modified: modified.and_then(http_date),
            is_immutable: is_named_by(name, &digest),
            is_compressible,
            coded: Default::default(),
            plain: Mutex::new(Some(bytes)),
        }
    }

    /// Drops the plain bytes. `compressed` is their [`Coding::Gzip`] encoding.
    #[cfg(feature = "gzip")]
    pub(super) fn keep_compressed(&self, compressed: Bytes) {
        let coded = &self.coded[Coding::Gzip as usize];
        if coded.get_or_init(|| Some(compressed)).is_some() {
            *lock(&self.plain) = None;
        }
    }

    pub(super) fn content_type(&self) -> &'static str {
        self.content_type
    }

    /// Returns the file's strong entity tag in this content coding.
    pub(super) fn tag(&self, coding: Coding) -> Option<&HeaderValue> {
        self.tags[coding as usize].as_ref()
    }

    /// Returns the time of the last change, in seconds since 1970 and as a header value.
    pub(super) fn modified(&self) -> Option<&(u64, HeaderValue)> {
        self.modified.as_ref()
    }

    /// Returns `true` if the name contains the digest of the bytes. A file with this name never changes.
    pub(super) fn is_immutable(&self) -> bool {
        self.is_immutable
    }

    /// Returns `true` if the file can be sent compressed, so the response depends on `Accept-Encoding`.
    pub(super) fn is_compressible(&self) -> bool {
        self.is_compressible
    }

    /// Returns `true` if the bytes in this coding are available without compressing or decompressing.
    pub(super) fn is_ready(&self, coding: Coding) -> bool {
        match coding {
            Coding::Identity => lock(&self.plain).is_some(),
            coding => self.coded[coding as usize].get().is_some(),
        }
    }

    /// Returns the coding, or `Identity` if the file could not be compressed in it.
    pub(super) fn possible(&self, coding: Coding) -> Coding {
        match self.coded[coding as usize].get() {
            Some(None) => Coding::Identity,
            _ => coding,
        }
    }

    /// Returns the bytes in this content coding, or `None` if compressing them fails. The first call for a coding other
    /// than `Identity` compresses the file, which is slow. If the plain bytes are not in memory, every call that needs
    /// them decompresses the file.
    pub(super) fn bytes(&self, coding: Coding) -> Option<Bytes> {
        match coding {
            Coding::Identity => self.plain(),
            coding => {
                let encode = || self.plain().and_then(|plain| coding.encode(&plain));
                self.coded[coding as usize].get_or_init(encode).clone()
            }
        }
    }

    fn plain(&self) -> Option<Bytes> {
        let plain = lock(&self.plain).clone();
        plain.or_else(|| coding::gunzip(self.coded[Coding::Gzip as usize].get()?.as_ref()?))
    }

    /// Returns the file as it is after it could not be compressed in this coding.
    #[cfg(all(test, feature = "gzip"))]
    pub(super) fn with_failed(self, coding: Coding) -> Self {
        assert!(self.coded[coding as usize].set(None).is_ok());
        self
    }

    /// Returns `true` if the file's plain bytes and `bytes` share the same memory. Equal bytes are not enough.
    pub(super) fn shares(&self, bytes: &[u8]) -> bool {
        lock(&self.plain)
            .as_ref()
            .is_some_and(|own| own.as_ptr() == bytes.as_ptr() && own.len() == bytes.len())
    }

    /// Returns `true` if only the compressed bytes are in memory.
    pub(super) fn is_compressed(&self) -> bool {
        lock(&self.plain).is_none()
    }

    /// Returns the number of bytes in memory, plain and compressed.
    pub(super) fn size(&self) -> u64 {
        let coded = self.coded.iter().filter_map(|coded| coded.get()?.as_ref());
        (lock(&self.plain).as_ref().map_or(0, Bytes::len) + coded.map(Bytes::len).sum::<usize>()) as u64
    }
}

pub(super) fn is_compressible(name: &str, bytes: &[u8]) -> bool {
    !Coding::OFFERED.is_empty()
        && bytes.len() >= MIN_COMPRESSED_LEN
        && content_type(name) != content_type(".gz")
}

/// Returns `true` if a file name's stem ends with the digest or with its first 8 or 16 digits.
/// [`Names::Digest`](sitemap_core::publish::Names::Digest) writes 8 digits; shard names have 16.
fn is_named_by(name: &str, digest: &str) -> bool {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    stem.rsplit_once('-').is_some_and(|(_, end)| matches!(end.len(), 8 | 16 | 32) && digest.starts_with(end))
}

/// Converts a date to seconds since 1970 and to an HTTP date. Returns `None` if the date is not between 1970 and
/// 9999. A date in the future is replaced with the current date.
fn http_date(date: SystemTime) -> Option<(u64, HeaderValue)> {
    const YEAR_10000: u64 = 253_402_300_800;

    let date = clock::now().map_or(date, |now| date.min(now));
    let seconds = date.duration_since(UNIX_EPOCH).ok()?.as_secs();
    if seconds >= YEAR_10000 {
        return None;
    }
    Some((seconds, HeaderValue::try_from(httpdate::fmt_http_date(date)).ok()?))
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
        for name in [
            "sitemap-a-1-99aa06d3.xml.gz",
            "sitemap-a-00007-1-99aa06d3014798d8.xml.gz",
            "sitemap-a-1-99aa06d3014798d86001c324468d497f.xml",
        ] {
            assert!(file(name).is_immutable(), "{name}");
        }
        for name in [
            "sitemap.xml",
            "sitemap-a-1.xml",
            "sitemap-a-1-99aa06d4.xml",
            "sitemap-a-20240101.xml",
            "sitemap-a-1-99aa06d3014798d9.xml",
        ] {
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
    fn a_file_without_its_plain_bytes_is_the_same_file() {
        let text = Bytes::from("https://example.com/posts/".repeat(100));
        let file = || File::new("sitemap.xml", text.clone(), Some(UNIX_EPOCH));
        let (plain, compressed) = (file(), file());
        compressed.keep_compressed(plain.bytes(Coding::Gzip).unwrap());
        for coding in Coding::ALL {
            assert_eq!(compressed.bytes(coding), plain.bytes(coding), "{coding:?}");
            assert_eq!(compressed.tag(coding), plain.tag(coding), "{coding:?}");
        }
        assert!(compressed.size() < plain.size());
        assert!(!compressed.is_ready(Coding::Identity) && compressed.is_ready(Coding::Gzip));
        assert!(compressed.is_compressed() && !plain.is_compressed());
        assert!(plain.shares(&text) && !compressed.shares(&text));

        // If the bytes could not be compressed, nothing is dropped.
        let failed = file().with_failed(Coding::Gzip);
        failed.keep_compressed(Bytes::new());
        assert_eq!(failed.bytes(Coding::Identity), Some(text));
    }

    #[cfg(feature = "gzip")]
    #[test]
    fn small_and_compressed_files_are_not_compressed() {
        let of = |name, len| File::new(name, Bytes::from(vec![b'a'; len]), None);
        assert!(of("sitemap.xml", 1024).is_compressible());
        assert!(!of("sitemap.xml", 1023).is_compressible());
        assert!(!of("sitemap-a-1.xml.gz", 2048).is_compressible());
        assert!(of("sitemap.xml", 4096).bytes(Coding::Gzip).unwrap().len() < 100);
        assert_eq!(of("sitemap.xml", 4096).bytes(Coding::Gzip).unwrap()[..2], [0x1F, 0x8B]);
    }
}
