//! What a shard's writer tells whoever commits.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::super::digest::Digest;
use super::super::json::{Object, ObjectWriter};
use super::super::name;
use crate::value::LastMod;

/// Of a bad line that its error repeats, in characters.
const LONGEST: usize = 200;

/// A row of a manifest: one shard that is written.
///
/// As text it is a line of JSON, which may be passed on by any engine and delivered more than once:
///
/// ```
/// let line = r#"{"file":"sitemap-posts-00007-1-3f2a9c41d07be8aa.xml.gz","base":"https://example.com/","buckets":40,"urls":3,"bytes":400,"stored":99,"digest":"3f2a9c41d07be8aa0123456789abcdef","newest":"2026-01-31"}"#;
/// let row: sitemap_core::ShardRow = line.parse()?;
/// assert_eq!((row.urls(), row.stored_bytes()), (3, 99));
/// assert_eq!(row.to_string(), line);
/// # Ok::<(), sitemap_core::ShardRowError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardRow {
    pub(super) name: String,
    /// Of the site that it was written for.
    pub(super) base: Box<str>,
    pub(super) buckets: u32,
    pub(super) urls: u64,
    pub(super) bytes: u64,
    pub(super) stored: u64,
    pub(super) digest: Digest,
    pub(super) newest: Option<LastMod>,
}

impl ShardRow {
    /// The shard's name in its storage.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The address of the folder that its set is served from.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// How many buckets its section has.
    #[must_use]
    pub fn buckets(&self) -> u32 {
        self.buckets
    }

    /// Pages in it.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.urls
    }

    /// Its bytes before compression.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Its bytes as stored.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        self.stored
    }

    /// The newest `lastmod` of its pages.
    #[must_use]
    pub fn newest(&self) -> Option<LastMod> {
        self.newest
    }

    /// What it shares with another try of the same shard: all of its name before the digest.
    pub(super) fn identity(&self) -> &str {
        self.name.rsplit_once('-').map_or(&self.name, |(identity, _)| identity)
    }

    pub(super) fn section(&self) -> &str {
        name::section_of_shard(&self.name).unwrap_or(&self.name)
    }

    /// The order in which indexes list shards: by section, bucket and number.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        /// A shorter number is a smaller one.
        fn key(row: &ShardRow) -> Option<(&str, usize, &str, usize, &str)> {
            let (rest, number) = row.identity().rsplit_once('-')?;
            let (section, bucket) = rest.rsplit_once('-')?;
            Some((section, bucket.len(), bucket, number.len(), number))
        }
        key(self).cmp(&key(other))
    }
}

impl fmt::Display for ShardRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let mut line = ObjectWriter::new(&mut text)
            .text("file", &self.name)
            .text("base", &self.base)
            .number("buckets", self.buckets.into())
            .number("urls", self.urls)
            .number("bytes", self.bytes)
            .number("stored", self.stored)
            .text("digest", self.digest);
        if let Some(newest) = self.newest {
            line = line.text("newest", newest);
        }
        line.end();
        f.write_str(text.trim_end())
    }
}

impl FromStr for ShardRow {
    type Err = ShardRowError;

    /// Takes what `Display` gives, with or without white space around it.
    fn from_str(text: &str) -> Result<Self, ShardRowError> {
        parse(text.trim()).ok_or_else(|| ShardRowError { text: text.chars().take(LONGEST).collect() })
    }
}

fn parse(text: &str) -> Option<ShardRow> {
    let line = Object::parse(text)?;
    let row = ShardRow {
        name: line.text("file").filter(|name| name::is_of_set(name))?.to_owned(),
        base: line.text("base")?.into(),
        buckets: line.number("buckets")?.try_into().ok()?,
        urls: line.number("urls")?,
        bytes: line.number("bytes")?,
        stored: line.number("stored")?,
        digest: Digest::parse(line.text("digest")?)?,
        newest: line.text("newest").map(str::parse).transpose().ok()?,
    };
    let (stem, _) = row.name.split_once('.')?;
    let short = format!("{:.16}", row.digest);
    stem.rsplit_once('-').is_some_and(|(_, digest)| digest == short).then_some(row)
}

/// A line that is no row of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardRowError {
    text: Box<str>,
}

impl fmt::Display for ShardRowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a shard's row is a line as its writer has printed it, found {:?}", self.text)
    }
}

impl std::error::Error for ShardRowError {}
