//! The description of a shard, which its writer passes to the process that commits.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use super::source::SourceDigest;
use crate::publish::set::{Digest, names};
use crate::value::LastMod;

/// The maximum number of characters that an error message quotes from an invalid line.
const LONGEST: usize = 200;

/// Describes one written shard.
///
/// As text, a row is a line of JSON. A program that passes rows from the writers to the commit can reformat the JSON,
/// and can pass the same row more than once.
///
/// ```
/// use sitemap_core::publish::shards::ShardRow;
///
/// let line = r#"{"file":"sitemap-posts-00007-1-3f2a9c41d07be8aa.xml.gz","base":"https://example.com/","buckets":40,"urls":3,"bytes":400,"stored":99,"digest":"3f2a9c41d07be8aa0123456789abcdef","newest":"2026-01-31"}"#;
/// let row: ShardRow = line.parse()?;
/// assert_eq!((row.urls(), row.stored_bytes()), (3, 99));
/// assert_eq!((row.bucket(), row.buckets()), (Some(7), 40));
/// assert_eq!(row.to_string(), line);
/// # Ok::<(), sitemap_core::publish::shards::ShardRowError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardRow {
    pub(super) name: String,
    /// The base URL of the site that the shard was written for.
    pub(super) base: Box<str>,
    pub(super) buckets: u32,
    pub(super) urls: u64,
    pub(super) bytes: u64,
    pub(super) stored: u64,
    pub(super) digest: Digest,
    pub(super) newest: Option<LastMod>,
    /// `true` if all pages are in the hash bucket of their URL.
    pub(super) by_url: bool,
    /// The digest of the rows that the whole hash bucket was written from.
    pub(super) source: Option<SourceDigest>,
}

impl ShardRow {
    /// Returns the file name of the shard.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the base URL of the site that the shard was written for.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns the hash bucket of the shard, which is part of its name. The file of the recent section also has a
    /// bucket.
    #[must_use]
    pub fn bucket(&self) -> Option<u32> {
        names::bucket_of_shard(&self.name)
    }

    /// Returns the number of hash buckets of the shard's section.
    #[must_use]
    pub fn buckets(&self) -> u32 {
        self.buckets
    }

    /// Returns the number of URLs in the shard.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.urls
    }

    /// Returns the number of bytes before compression.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the stored size in bytes, after compression.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        self.stored
    }

    /// Returns the newest `lastmod` of the pages in the shard.
    #[must_use]
    pub fn newest(&self) -> Option<LastMod> {
        self.newest
    }

    /// Sets the digest of the rows that the shard's hash bucket was written from. Set the same digest for all shards of
    /// a bucket. A later run can then [reuse the shards](super::PublishedShards::written_from) if the rows of the
    /// bucket haven't changed. Default: none, so the next run writes the bucket again.
    ///
    /// Don't set it for a bucket with [skipped](super::WrittenShards::skipped) records: a run that reuses the shards
    /// doesn't see these records, so it can't report them.
    ///
    /// ```
    /// use sitemap_core::publish::shards::SourceDigester;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?);
    /// let mut shards = builder.write_shards(Memory::new(), "posts", 1)?;
    /// let mut rows = SourceDigester::new();
    /// for page in ["/cups", "/tea"] {
    ///     shards.add(0, page)?;
    ///     rows.add(page.as_bytes());
    /// }
    /// let source = rows.finish(b"https://example.com/, 1 bucket");
    /// let row = shards.finish()?.into_rows().remove(0);
    /// assert_eq!(row.source(), None);
    /// let row = row.with_source(source);
    /// assert_eq!(row.source(), Some(source));
    /// assert!(row.to_string().ends_with(&format!(",\"source\":\"{source}\"}}")));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    #[must_use]
    pub fn with_source(mut self, source: SourceDigest) -> Self {
        self.source = Some(source);
        self
    }

    /// Returns the digest set by [`with_source`](Self::with_source).
    #[must_use]
    pub fn source(&self) -> Option<SourceDigest> {
        self.source
    }

    /// Returns `true` if both rows describe the same bytes, whatever their sources are.
    pub(super) fn is_same_shard(&self, other: &Self) -> bool {
        let Self { name, base, buckets, urls, bytes, stored, digest, newest, by_url, source: _ } = self;
        (name, base, buckets, urls, bytes)
            == (&other.name, &other.base, &other.buckets, &other.urls, &other.bytes)
            && (stored, digest, newest, by_url)
                == (&other.stored, &other.digest, &other.newest, &other.by_url)
    }

    /// Returns `true` if the name ends with the first digits of the digest.
    pub(super) fn has_name_of_digest(&self) -> bool {
        let Some((stem, _)) = self.name.split_once('.') else { return false };
        let short = format!("{:.*}", names::SHARD_DIGITS, self.digest);
        stem.rsplit_once('-').is_some_and(|(_, digest)| digest == short)
    }

    /// Returns the part of the name before the digest. It stays the same if the shard is written again with different
    /// content.
    pub(super) fn identity(&self) -> &str {
        self.name.rsplit_once('-').map_or(&self.name, |(identity, _)| identity)
    }

    pub(super) fn section(&self) -> &str {
        names::section_of_shard(&self.name).unwrap_or(&self.name)
    }

    /// Compares rows in the order of the index: by section, bucket and number.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        /// Returns the parts of the name that decide the order. Each number is preceded by its length, so that 9 sorts
        /// before 10.
        fn key(row: &ShardRow) -> Option<(&str, usize, &str, usize, &str)> {
            let (rest, number) = row.identity().rsplit_once('-')?;
            let (section, bucket) = rest.rsplit_once('-')?;
            Some((section, bucket.len(), bucket, number.len(), number))
        }
        key(self).cmp(&key(other))
    }
}

impl fmt::Display for ShardRow {
    /// Writes one line of JSON, without a line ending.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { buckets, urls, bytes, stored, digest, .. } = self;
        let (file, base) = (Value::from(self.name.as_str()), Value::from(&*self.base));
        write!(f, "{{\"file\":{file},\"base\":{base},\"buckets\":{buckets},\"urls\":{urls}")?;
        write!(f, ",\"bytes\":{bytes},\"stored\":{stored},\"digest\":\"{digest}\"")?;
        if let Some(newest) = self.newest {
            write!(f, ",\"newest\":\"{newest}\"")?;
        }
        if self.by_url {
            f.write_str(",\"by\":\"url\"")?;
        }
        if let Some(source) = self.source {
            write!(f, ",\"source\":\"{source}\"")?;
        }
        f.write_str("}")
    }
}

impl FromStr for ShardRow {
    type Err = ShardRowError;

    /// Parses a JSON object with the members that `Display` writes, in any order and layout. Unknown members are
    /// ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the string is not such an object, or if the digest in the file name differs from the member
    /// `digest`.
    fn from_str(text: &str) -> Result<Self, ShardRowError> {
        parse(text).ok_or_else(|| ShardRowError { text: text.trim().chars().take(LONGEST).collect() })
    }
}

fn parse(text: &str) -> Option<ShardRow> {
    let object: Value = serde_json::from_str(text).ok()?;
    let text_of = |key: &str| object.get(key)?.as_str();
    let number_of = |key: &str| object.get(key)?.as_u64();
    let optional = |key: &str| object.get(key).filter(|value| !value.is_null());
    let newest = match optional("newest") {
        None => None,
        Some(newest) => Some(newest.as_str()?.parse().ok()?),
    };
    let source = match optional("source") {
        None => None,
        Some(source) => Some(source.as_str()?.parse().ok()?),
    };
    let row = ShardRow {
        name: text_of("file").filter(|name| names::is_set_file(name))?.to_owned(),
        base: text_of("base")?.into(),
        buckets: number_of("buckets")?.try_into().ok()?,
        urls: number_of("urls")?,
        bytes: number_of("bytes")?,
        stored: number_of("stored")?,
        digest: Digest::parse(text_of("digest")?)?,
        newest,
        by_url: text_of("by") == Some("url"),
        source,
    };
    row.has_name_of_digest().then_some(row)
}

/// The error for a line that doesn't describe a shard.
///
/// ```
/// use sitemap_core::publish::shards::ShardRow;
///
/// let error = "{}".parse::<ShardRow>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the line \"{}\" does not describe a shard; pass on each JSON object of a shard writer with all its members"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardRowError {
    text: Box<str>,
}

impl fmt::Display for ShardRowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text } = self;
        write!(
            f,
            "the line {text:?} does not describe a shard; pass on each JSON object of a shard writer with all its members"
        )
    }
}

impl std::error::Error for ShardRowError {}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"file":"sitemap-posts-00007-1-3f2a9c41d07be8aa.xml","base":"https://example.com/","buckets":40,"urls":3,"bytes":400,"stored":99,"digest":"3f2a9c41d07be8aa0123456789abcdef"}"#;

    #[test]
    fn a_row_that_another_program_has_written_again_is_the_same_row() {
        let row: ShardRow = LINE.parse().unwrap();
        // The layout of Python's `json.dumps(row, indent=1, sort_keys=True)`, plus escape sequences, a null and an
        // unknown member.
        let again = r#"{
 "base": "https:\/\/example.com/",
 "buckets": 40,
 "bytes": 400,
 "digest": "3f2a9c41d07be8aa0123456789abcdef",
 "file": "sitemap-posts-00007-1-3f2a9c41d07be8a\u0061.xml",
 "newest": null,
 "stored": 99,
 "task": "7",
 "urls": 3
}"#;
        assert_eq!(again.parse(), Ok(row));
    }

    #[test]
    fn a_row_keeps_the_source_of_its_bucket() {
        let source = "00112233445566778899aabbccddeeff".parse().unwrap();
        let row = LINE.parse::<ShardRow>().unwrap();
        assert_eq!((row.source(), row.to_string()), (None, LINE.to_owned()));
        let row = ShardRow { by_url: true, ..row.with_source(source) };
        let line = LINE.replace('}', ",\"by\":\"url\",\"source\":\"00112233445566778899aabbccddeeff\"}");
        assert_eq!((row.source(), row.to_string()), (Some(source), line.clone()));
        assert_eq!(line.parse(), Ok(row));
        let null = LINE.replace('}', ",\"source\":null}");
        assert_eq!(null.parse::<ShardRow>().unwrap().source(), None);
    }

    #[test]
    fn a_row_without_a_member_or_with_another_digest_is_refused() {
        for line in [
            "",
            "[]",
            "{}",
            &LINE[..LINE.len() - 1],
            &LINE.replace("\"urls\":3,", ""),
            &LINE.replace("\"urls\":3", "\"urls\":-3"),
            &LINE.replace("\"buckets\":40", "\"buckets\":4294967296"),
            &LINE.replace("aa0123", "ab0123"),
            &LINE.replace("sitemap-posts", "../sitemap-posts"),
            &LINE.replace('}', ",\"newest\":\"yesterday\"}"),
            &LINE.replace('}', ",\"source\":\"00112233445566778899aabbccddeef\"}"),
            &LINE.replace('}', ",\"source\":\"00112233445566778899AABBCCDDEEFF\"}"),
            &LINE.replace('}', ",\"source\":7}"),
        ] {
            assert!(line.parse::<ShardRow>().is_err(), "{line}");
        }
    }
}
