//! Names: of sections, which are safe parts of file names and URLs, and of all files of a set.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::digest::Digest;
use crate::write::Stylesheet;

/// Letters, digits, `-` and `_`, at most this many.
const LONGEST: usize = 100;

/// Checks a section's name; it becomes part of file names and URLs.
pub(super) fn check(name: &str) -> Result<(), SectionNameError> {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !name.is_empty() && name.len() <= LONGEST && name.bytes().all(is_safe) {
        Ok(())
    } else {
        Err(SectionNameError { name: name.chars().take(LONGEST).collect() })
    }
}

/// A section's name that cannot stand in a file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionNameError {
    name: Box<str>,
}

impl fmt::Display for SectionNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a section's name becomes part of a file name; use 1 to {LONGEST} of the characters \
             `A-Z a-z 0-9 - _`, found {:?}",
            self.name
        )
    }
}

impl std::error::Error for SectionNameError {}

/// The file of a set that everything else hangs from.
pub const ENTRY_POINT: &str = "sitemap.xml";

/// The name of a section's file, counted from 1.
///
/// Its last `-` parts the section from the number, so no two sections share a name.
pub(super) fn of_file(section: &str, number: usize, extension: &str) -> String {
    format!("sitemap-{section}-{number}{extension}")
}

/// The name of an index file, counted from 1; the first is the entry point.
pub fn of_index(number: usize) -> String {
    match number {
        1 => ENTRY_POINT.to_owned(),
        _ => format!("sitemap-{number}.xml"),
    }
}

/// A file's name with the first digits of its digest, at least eight.
pub(super) fn with_digest(name: &str, digest: Digest, digits: usize) -> String {
    match name.split_once('.') {
        Some((stem, extension)) => format!("{stem}-{digest:.digits$}.{extension}"),
        None => name.to_owned(),
    }
}

/// The name of a shard that several processes write, with so many digits of its digest.
#[cfg(feature = "shards")]
pub(super) fn of_shard(section: &str, bucket: u32, number: usize, digest: Digest, extension: &str) -> String {
    with_digest(&format!("sitemap-{section}-{bucket:05}-{number}{extension}"), digest, 16)
}

/// The section of a file, by the name that a publisher or a writer of shards has given it; `None` of any
/// other name.
///
/// ```
/// use sitemap_core::section_of;
///
/// assert_eq!(section_of("sitemap-posts-12.xml.gz"), Some("posts"));
/// assert_eq!(section_of("sitemap-posts-2-683993f6.xml"), Some("posts"));
/// assert_eq!(section_of("sitemap.xml"), None);
/// ```
#[must_use]
pub fn section_of(file_name: &str) -> Option<&str> {
    let (stem, "xml" | "xml.gz" | "txt" | "txt.gz") = file_name.split_once('.')? else { return None };
    let stem = stem.strip_prefix("sitemap-")?;
    let with_digest = || match before_digest(stem)? {
        (name, 8 | 32) => numbered(name),
        (name, 16) => in_bucket(name),
        _ => None,
    };
    with_digest().or_else(|| numbered(stem))
}

/// The section of a shard, by a name that [`of_shard`] makes.
#[cfg(feature = "shards")]
pub(super) fn section_of_shard(name: &str) -> Option<&str> {
    let (stem, _) = name.split_once('.').filter(|_| is_of_set(name))?;
    let (name, digits) = before_digest(stem.strip_prefix("sitemap-")?)?;
    if digits == 16 { in_bucket(name) } else { None }
}

/// What stands before a digest, and how many digits that has.
fn before_digest(stem: &str) -> Option<(&str, usize)> {
    let (name, digest) = stem.rsplit_once('-')?;
    let is_digest = digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_digest.then_some((name, digest.len()))
}

/// `SECTION-N`, or `SECTION-NNN-N` in one of at most 512 shards.
fn numbered(name: &str) -> Option<&str> {
    let section = without_number(name, 1)?;
    let is_shard = |digits: &str| digits.len() == 3 && digits < "512";
    match section.rsplit_once('-') {
        Some((sharded, shard)) if is_number(shard, 3) && is_shard(shard) && !sharded.is_empty() => {
            Some(sharded)
        }
        _ => Some(section),
    }
}

/// `SECTION-BBBBB-N`, as several processes write it.
fn in_bucket(name: &str) -> Option<&str> {
    without_number(without_number(name, 1)?, 5)
}

fn without_number(name: &str, digits: usize) -> Option<&str> {
    let (rest, number) = name.rsplit_once('-')?;
    (!rest.is_empty() && is_number(number, digits)).then_some(rest)
}

/// Whether it is a number with at least so many digits, filled with zeros.
fn is_number(text: &str, digits: usize) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == digits || text.len() > digits && !text.starts_with('0'))
}

/// What is known of the set that stands.
pub const MANIFEST: &str = ".sitemap-manifest.jsonl";

/// What is yet to be done until the next set stands.
pub const JOURNAL: &str = ".sitemap-journal.jsonl";

/// Locked by the run that is at work.
pub(super) const LOCK: &str = ".sitemap.lock";

/// A name for a file that will be called `name`, which no other file of this process has.
pub fn unique_temporary(name: &str) -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);

    temporary(name, NUMBER.fetch_add(1, Ordering::Relaxed))
}

fn temporary(name: &str, number: u64) -> String {
    /// Processes of several machines may share a storage, so their own numbers are not enough.
    static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());

    format!(".{name}.{}-{number}.tmp", *PROCESS)
}

/// Whether a name is one that [`temporary`] makes.
pub fn is_temporary(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts = || {
        let (name, numbers) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
        let (process, number) = numbers.split_once('-')?;
        Some((name, process, number))
    };
    parts().is_some_and(|(name, process, number)| {
        is_number(process)
            && is_number(number)
            && (is_of_set(name) || matches!(name, MANIFEST | JOURNAL | Stylesheet::FILE_NAME))
    })
}

/// Whether a set can have a file of this name.
pub fn is_of_set(name: &str) -> bool {
    const ROOM_FOR_NUMBERS: usize = 64;

    let Some((stem, "xml" | "xml.gz" | "txt" | "txt.gz")) = name.split_once('.') else {
        return false;
    };
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    stem.strip_prefix("sitemap").is_some_and(|rest| {
        rest.is_empty()
            || rest.starts_with('-') && rest.len() <= LONGEST + ROOM_FOR_NUMBERS && rest.bytes().all(is_safe)
    })
}

/// The content type of a file.
///
/// What a compressed file is called is its own type: it is sent as it is, and no coding is claimed.
pub fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "gz")) => "application/gzip",
        Some((_, "txt")) => "text/plain; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "jsonl")) => "application/jsonl",
        // Without a charset, so that the document's own declaration counts.
        _ => "application/xml",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_pattern_is_a_temporary_file_of_ours() {
        for name in ["sitemap.xml", "sitemap-2.xml", "sitemap-a_B-1.txt.gz", "sitemap.css", MANIFEST, JOURNAL]
        {
            assert!(is_temporary(&temporary(name, 7)), "{name}");
            assert!(!is_temporary(name), "{name}");
        }
        for name in [
            ".sitemap.xml.tmp",
            "sitemap.xml.1-1.tmp",
            ".sitemap.xml.1-.tmp",
            ".sitemap.xml.-1.tmp",
            ".sitemap.xml.1-1-1.tmp",
            ".sitemap.xml.1-x.tmp",
            ".sitemap.xml.1-1.tmp.bak",
            ".notes.txt.1-1.tmp",
            ".sitemap.html.1-1.tmp",
            ".sitemap-a/b-1.xml.1-1.tmp",
            ".sitemaps-1.xml.1-1.tmp",
            "",
            ".tmp",
        ] {
            assert!(!is_temporary(name), "{name}");
        }
    }

    #[test]
    fn a_digest_stands_before_the_extension() {
        let digest = Digest::of(b"");
        assert_eq!(with_digest("sitemap-a-1.xml.gz", digest, 8), "sitemap-a-1-99aa06d3.xml.gz");
        assert_eq!(with_digest("sitemap-a-1.xml", digest, 16), "sitemap-a-1-99aa06d3014798d8.xml");
    }

    #[cfg(feature = "shards")]
    #[test]
    fn only_the_exact_pattern_is_a_shard() {
        let digest = Digest::of(b"");
        for (section, bucket) in [("pages", 7), ("a-00001-1", 123_456)] {
            let name = of_shard(section, bucket, 2, digest, ".xml.gz");
            assert_eq!(section_of_shard(&name), Some(section), "{name}");
        }
        for name in [
            "sitemap.xml",
            "sitemap-2.xml",
            "sitemap-00001-1-99aa06d3014798d8.xml",
            "sitemap-pages-1-99aa06d3014798d8.xml",
            "sitemap-pages-0001-1-99aa06d3014798d8.xml",
            "sitemap-pages-00001-1-99aa06d3014798d.xml",
            "sitemap-pages-00001-1-99AA06D3014798D8.xml",
            "sitemap-pages-00001-x-99aa06d3014798d8.xml",
            "sitemap-pages-00001--99aa06d3014798d8.xml",
            "sitemap-pages-00001-1-99aa06d3014798d8.html",
            ".sitemap-pages-00001-1-99aa06d3014798d8.xml",
        ] {
            assert_eq!(section_of_shard(name), None, "{name}");
        }
    }

    #[test]
    fn names_that_are_no_safe_part_of_a_file_name_are_refused() {
        let long = "x".repeat(101);
        for name in ["", ".", "..", "a/b", "a\\b", "a b", "ü", "a.b", "a\0", "con:", &long] {
            assert!(check(name).is_err(), "{name:?}");
        }
        for name in ["posts", "Blog_2024", "a-1", &long[..100]] {
            assert!(check(name).is_ok(), "{name:?}");
        }
        assert_eq!(
            check("../etc").unwrap_err().to_string(),
            "a section's name becomes part of a file name; use 1 to 100 of the characters \
             `A-Z a-z 0-9 - _`, found \"../etc\""
        );
    }

    #[test]
    fn sections_never_share_a_file_name() {
        assert_eq!(of_file("a", 11, ".xml"), "sitemap-a-11.xml");
        assert_eq!(of_file("a-1", 1, ".xml"), "sitemap-a-1-1.xml");
        assert_eq!(of_index(1), "sitemap.xml");
        assert_eq!(of_index(2), "sitemap-2.xml");
    }
}
