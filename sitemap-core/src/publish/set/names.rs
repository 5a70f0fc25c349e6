//! The names of a set's files and sections. All of them are safe in file names and URLs.

use std::fmt;

use super::digest::Digest;
use crate::html_page::HtmlPage;
use crate::storage::final_name;
use crate::stylesheet::Stylesheet;

/// The maximum length of a section name, in characters.
const LONGEST: usize = 100;

/// Checks the name of a section, which becomes part of file names and URLs.
pub(crate) fn check_section(name: &str) -> Result<(), SectionNameError> {
    let is_reserved = name.eq_ignore_ascii_case(RECENT);
    if is_section(name) && !is_reserved {
        Ok(())
    } else {
        Err(SectionNameError { name: name.chars().take(LONGEST).collect(), is_reserved })
    }
}

/// Returns `true` if the name can be part of file names and URLs.
pub(super) fn is_section(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST && name.bytes().all(is_safe)
}

/// The name of the recent section, which repeats the most recently changed entries of the other sections in one file.
/// No other section can have this name.
pub const RECENT: &str = "recent";

/// Returns `true` for the name, path or URL of a file of the [recent section](RECENT). Such a file repeats entries of
/// other files, so a program that counts pages skips it.
///
/// Other programs may also have a section of this name, so the name must also contain a hash bucket and a digest.
///
/// ```
/// use sitemap_core::publish::files::is_recent_file;
///
/// assert!(is_recent_file("sitemap-recent-00000-1-99aa06d3014798d8.xml.gz"));
/// assert!(is_recent_file("https://example.com/sitemap-recent-00000-1-99aa06d3014798d8.xml?v=1"));
/// assert!(!is_recent_file("sitemap-recent-1.xml"));
/// ```
#[must_use]
pub fn is_recent_file(place: &str) -> bool {
    let path = place.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    shard_parts(name) == Some((RECENT, "00000", "1"))
}

/// Returns `true` for a character that is allowed in a section name.
fn is_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// The error for a section name that can't be part of a file name.
///
/// ```
/// use sitemap_core::publish::PublishErrorKind;
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let site = Site::new("https://example.com")?;
/// let mut run = SitemapSet::builder(site).storage(Memory::new()).replace()?;
/// let error = run.section("../etc").unwrap_err();
/// assert!(matches!(error.kind(), PublishErrorKind::SectionName(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionNameError {
    name: Box<str>,
    is_reserved: bool,
}

impl fmt::Display for SectionNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_reserved {
            let Self { name, .. } = self;
            return write!(
                f,
                "the section name {name:?} is reserved for the section that repeats the last changes; use another name"
            );
        }
        write!(
            f,
            "the section name {:?} cannot be part of a file name; use 1 to {LONGEST} of the characters \
             `A-Z a-z 0-9 - _`",
            self.name
        )
    }
}

impl std::error::Error for SectionNameError {}

/// The file name of a set's entry point, which is either the only sitemap of the set or its first index.
pub const ENTRY_POINT: &str = "sitemap.xml";

/// Returns the name of a section's file with this number, counted from 1.
///
/// The last `-` separates the section from the number, so two sections never share a file name.
pub(crate) fn file_name(section: &str, number: usize, extension: &str) -> String {
    format!("sitemap-{section}-{number}{extension}")
}

/// Returns the file name of the index with this number, counted from 1. The first one is the [entry
/// point](ENTRY_POINT).
///
/// ```
/// use sitemap_core::publish::files::index_file_name;
///
/// assert_eq!(index_file_name(1), "sitemap.xml");
/// assert_eq!(index_file_name(2), "sitemap-2.xml");
/// ```
#[must_use]
pub fn index_file_name(number: usize) -> String {
    match number {
        1 => ENTRY_POINT.to_owned(),
        _ => format!("sitemap-{number}.xml"),
    }
}

/// Inserts the first digits of a digest into a file name, before the extension.
pub(crate) fn with_digest(name: &str, digest: Digest, digits: usize) -> String {
    match name.split_once('.') {
        Some((stem, extension)) => format!("{stem}-{digest:.digits$}.{extension}"),
        None => name.to_owned(),
    }
}

/// The number of hexadecimal digits of the digest in a shard's name.
pub(crate) const SHARD_DIGITS: usize = 16;

/// Returns the part of a shard's name that contains the section and the hash bucket.
pub(crate) fn shard_stem(section: &str, bucket: u32) -> String {
    format!("{section}-{bucket:05}")
}

/// Returns the section that is part of a sitemap's file name, or `None` if publishers and shard writers don't use names
/// of this form.
///
/// ```
/// use sitemap_core::publish::files::section_of;
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

/// Returns the section in the file name of a shard, or `None` if it isn't the name of a shard.
pub(crate) fn section_of_shard(name: &str) -> Option<&str> {
    shard_parts(name).map(|(section, ..)| section)
}

/// Returns the hash bucket in the file name of a shard.
pub(crate) fn bucket_of_shard(name: &str) -> Option<u32> {
    let (_, bucket, _) = shard_parts(name)?;
    bucket.parse().ok()
}

/// Returns the parts of a shard's name that decide its place in the index: section, hash bucket and number.
fn shard_parts(name: &str) -> Option<(&str, &str, &str)> {
    let end = name.bytes().position(|byte| byte == b'.').filter(|_| is_set_file(name))?;
    let stem = name[..end].strip_prefix("sitemap-")?;
    let (name, digest) = stem.split_at_checked(stem.len().checked_sub(SHARD_DIGITS + 1)?)?;
    let (rest, number) = last_number(name).filter(|_| is_digest(digest.strip_prefix('-').unwrap_or("-")))?;
    let (section, bucket) = last_number(rest)?;
    let is_shard = !section.is_empty() && is_number(bucket, 5) && is_number(number, 1);
    is_shard.then_some((section, bucket, number))
}

/// Splits a name at its last `-`, if only digits follow it.
fn last_number(name: &str) -> Option<(&str, &str)> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (rest, number) = name.split_at(name.len() - digits);
    Some((rest.strip_suffix('-')?, number))
}

/// Returns `true` if these are hexadecimal digits in lower case.
fn is_digest(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns the part of a name before its digest, and the number of digits of the digest.
fn before_digest(stem: &str) -> Option<(&str, usize)> {
    let (name, digest) = stem.rsplit_once('-')?;
    is_digest(digest).then_some((name, digest.len()))
}

/// Returns `SECTION` from a name of the form `SECTION-N` or `SECTION-BBB-N`, where `BBB` is a hash bucket from 000 to
/// 511.
fn numbered(name: &str) -> Option<&str> {
    let section = without_number(name, 1)?;
    let is_bucket = |digits: &str| digits.len() == 3 && digits < "512";
    match section.rsplit_once('-') {
        Some((section, bucket)) if is_number(bucket, 3) && is_bucket(bucket) && !section.is_empty() => {
            Some(section)
        }
        _ => Some(section),
    }
}

/// Returns `SECTION` from `SECTION-BBBBB-N`, the name of a shard without its digest. `BBBBB` is the hash bucket.
fn in_bucket(name: &str) -> Option<&str> {
    without_number(without_number(name, 1)?, 5)
}

fn without_number(name: &str, digits: usize) -> Option<&str> {
    let (rest, number) = name.rsplit_once('-')?;
    (!rest.is_empty() && is_number(number, digits)).then_some(rest)
}

/// Returns `true` if the string is a number of at least this many digits. A number with more digits must not start with
/// 0.
fn is_number(text: &str, digits: usize) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == digits || text.len() > digits && !text.starts_with('0'))
}

/// The name of the manifest, the file that describes the published set.
pub const MANIFEST: &str = ".sitemap-manifest.jsonl";

/// The name under which a run keeps a manifest that it can't read, because it is damaged or of a newer version.
pub(crate) const UNREADABLE_MANIFEST: &str = ".sitemap-manifest.unreadable.jsonl";

/// The name of the feed, an Atom document with the latest changes of a set.
pub const FEED: &str = "sitemap-changes.atom";

/// The name of the journal, the file that a run writes before it replaces the published set.
pub const JOURNAL: &str = ".sitemap-journal.jsonl";

/// Returns `true` for the temporary name of a file that this crate writes, or of another file stored next to a set.
pub(crate) fn is_temporary(name: &str) -> bool {
    final_name(name).is_some_and(|name| {
        is_set_file(name)
            || name.starts_with(".sitemap-")
            || matches!(name, Stylesheet::FILE_NAME | HtmlPage::FILE_NAME)
    })
}

/// Returns `true` if a set can have a file of this name: `sitemap.xml`, `sitemap-….xml`, such a name with `.xml.gz`,
/// `.txt` or `.txt.gz` instead of `.xml`, or the [`FEED`].
///
/// ```
/// use sitemap_core::publish::files::is_set_file;
///
/// assert!(is_set_file("sitemap-posts-1.xml.gz"));
/// assert!(!is_set_file("../sitemap.xml") && !is_set_file("index.html"));
/// ```
#[must_use]
pub fn is_set_file(name: &str) -> bool {
    const ROOM_FOR_NUMBERS: usize = 64;

    if name == FEED {
        return true;
    }
    let Some(end) = name.bytes().position(|byte| byte == b'.') else { return false };
    let (stem, extension) = name.split_at(end);
    if !matches!(extension, ".xml" | ".xml.gz" | ".txt" | ".txt.gz") {
        return false;
    }
    stem.strip_prefix("sitemap").is_some_and(|rest| {
        rest.is_empty()
            || rest.starts_with('-') && rest.len() <= LONGEST + ROOM_FOR_NUMBERS && rest.bytes().all(is_safe)
    })
}

/// Returns the media type of a file of a set.
///
/// A `.gz` file has the media type of compressed files (RFC 6713), because servers send the compressed bytes without a
/// `Content-Encoding` header. The media type of XML has no charset parameter, so that the XML declaration decides the
/// encoding (RFC 7303).
///
/// ```
/// use sitemap_core::publish::files::content_type;
///
/// assert_eq!(content_type("sitemap.xml"), "application/xml");
/// assert_eq!(content_type("sitemap-posts-1.xml.gz"), "application/gzip");
/// ```
#[must_use]
pub fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "gz")) => "application/gzip",
        Some((_, "atom")) => "application/atom+xml",
        Some((_, "txt")) => "text/plain; charset=utf-8",
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "jsonl")) => "application/jsonl",
        _ => "application/xml",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::temporary_name;

    #[test]
    fn only_the_exact_pattern_is_a_temporary_file_of_ours() {
        for name in [
            "sitemap.xml",
            "sitemap-2.xml",
            "sitemap-a_B-1.txt.gz",
            "sitemap.css",
            "sitemap.html",
            FEED,
            MANIFEST,
            JOURNAL,
            ".sitemap-refresh.txt",
        ] {
            assert!(is_temporary(&temporary_name(name)), "{name}");
            assert!(!is_temporary(name), "{name}");
        }
        for name in [
            ".notes.txt.1-1.tmp",
            ".index.html.1-1.tmp",
            ".sitemap-other.atom.1-1.tmp",
            ".sitemap-a/b-1.xml.1-1.tmp",
            ".sitemaps-1.xml.1-1.tmp",
            "",
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

    #[test]
    fn only_the_exact_pattern_is_a_shard() {
        let digest = Digest::of(b"");
        for (section, bucket) in [("pages", 7), ("a-00001-1", 123_456)] {
            let name = file_name(&shard_stem(section, bucket), 2, ".xml.gz");
            let name = with_digest(&name, digest, SHARD_DIGITS);
            assert_eq!(section_of_shard(&name), Some(section), "{name}");
            assert_eq!(bucket_of_shard(&name), Some(bucket), "{name}");
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
            assert!(check_section(name).is_err(), "{name:?}");
        }
        for name in ["posts", "Blog_2024", "a-1", &long[..100]] {
            assert!(check_section(name).is_ok(), "{name:?}");
        }
        assert_eq!(
            check_section("../etc").unwrap_err().to_string(),
            "the section name \"../etc\" cannot be part of a file name; use 1 to 100 of the characters \
             `A-Z a-z 0-9 - _`"
        );
    }

    #[test]
    fn the_name_of_the_recent_section_is_reserved() {
        for name in ["recent", "Recent"] {
            let error = check_section(name).unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "the section name \"{name}\" is reserved for the section that repeats the last changes; use another \
                     name"
                )
            );
        }
        assert!(check_section("recently").is_ok());
        for (name, expected) in [
            ("sitemap-recent-00000-1-99aa06d3014798d8.xml", true),
            ("sitemap-recent-00000-1-99aa06d3014798d8.txt.gz", true),
            ("sitemap-recent-00001-1-99aa06d3014798d8.xml", false),
            ("sitemap-recent-00000-2-99aa06d3014798d8.xml", false),
            ("sitemap-my-recent-00000-1-99aa06d3014798d8.xml", false),
            ("sitemap-recent-1-99aa06d3.xml", false),
            ("sitemap-recent.xml", false),
        ] {
            assert_eq!(is_recent_file(name), expected, "{name}");
        }
    }

    #[test]
    fn sections_never_share_a_file_name() {
        assert_eq!(file_name("a", 11, ".xml"), "sitemap-a-11.xml");
        assert_eq!(file_name("a-1", 1, ".xml"), "sitemap-a-1-1.xml");
        assert_eq!(index_file_name(1), "sitemap.xml");
        assert_eq!(index_file_name(2), "sitemap-2.xml");
    }
}
