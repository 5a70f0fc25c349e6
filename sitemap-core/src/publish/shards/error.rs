//! Errors of shards that don't form a set.

use crate::error::counted_urls;
use std::fmt;

/// The reason why shards don't form a set.
///
/// ```
/// use sitemap_core::publish::PublishErrorKind;
/// use sitemap_core::publish::shards::ShardError;
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let builder = SitemapSet::builder(Site::new("https://example.com")?);
/// let mut shards = builder.write_shards(Memory::new(), "pages", 4)?;
/// let error = shards.add(4, "/").unwrap_err();
/// assert_eq!(error.to_string(), "bucket 4 does not exist; use a number from 0 to 3");
/// assert!(matches!(error.kind(), PublishErrorKind::Shard(ShardError::Bucket { bucket: 4, buckets: 4 })));
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShardError {
    /// The section doesn't have this hash bucket.
    Bucket {
        /// The bucket, counted from 0.
        bucket: u32,
        /// The number of buckets.
        buckets: u32,
    },
    /// The records of a hash bucket were added in two parts, with records of other buckets in between.
    SplitBucket {
        /// The bucket.
        bucket: u32,
    },
    /// A shard was written for one site, but the commit is for another site.
    Site {
        /// The name of the shard.
        name: Box<str>,
        /// The base URL of the commit's site.
        expected: Box<str>,
        /// The base URL of the shard's site.
        found: Box<str>,
    },
    /// The shards of a section were written with different numbers of hash buckets.
    Buckets {
        /// The name and bucket count of the shard whose row was added first.
        one: (Box<str>, u32),
        /// The name and bucket count of the other shard.
        other: (Box<str>, u32),
    },
    /// Two rows describe the same shard with different content.
    Conflict {
        /// The row that was added first.
        one: Box<str>,
        /// The row that was added later.
        other: Box<str>,
    },
    /// A shard doesn't exist, or its size differs from the one in its row.
    Missing {
        /// The name of the shard.
        name: Box<str>,
        /// The size in bytes according to the row.
        expected: u64,
        /// The size of the file in bytes. `None` if there is no file.
        found: Option<u64>,
    },
    /// A section that an update changes doesn't exist in the published set, or was published without hash buckets.
    NoBuckets {
        /// The name of the section.
        section: Box<str>,
    },
    /// A row of an update belongs to a section or hash bucket that the update doesn't replace.
    NotReplaced {
        /// The name of the shard.
        name: Box<str>,
    },
    /// The name of a source of changes, or its position, can't be recorded.
    Position {
        /// The name or the position.
        text: Box<str>,
    },
    /// The shards don't contain the expected number of URLs.
    UrlCount {
        /// The expected number of URLs.
        expected: u64,
        /// The number of URLs in all shards, according to their rows.
        found: u64,
    },
}

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bucket { buckets: 0, .. } => f.write_str("a section cannot have 0 buckets; use at least 1"),
            Self::Bucket { bucket, buckets } => {
                write!(f, "bucket {bucket} does not exist; use a number from 0 to {}", buckets - 1)
            }
            Self::SplitBucket { bucket } => write!(
                f,
                "the records of bucket {bucket} come in two parts, with records of other buckets between them; sort \
                 the records by bucket, then by URL"
            ),
            Self::Site { name, expected, found } => write!(
                f,
                "shard `{name}` was written for the site `{found}`, but the commit is for `{expected}`; use the same \
                 site for writers and commit"
            ),
            Self::Buckets { one: (one, first), other: (other, second) } => write!(
                f,
                "shard `{one}` was written with {first} buckets, but shard `{other}` of the same section with \
                 {second}; write all shards again with the same number of buckets"
            ),
            Self::Conflict { one, other } => write!(
                f,
                "two rows describe the same shard with different content, {one} and {other}; write all shards again \
                 from the same records in the same order, with the same settings"
            ),
            Self::Missing { name, expected, found: None } => {
                write!(f, "shard `{name}` ({expected} bytes) is missing; write its bucket again")
            }
            Self::Missing { name, expected, found: Some(found) } => write!(
                f,
                "shard `{name}` has {found} bytes instead of the {expected} bytes in its row; write its bucket again"
            ),
            Self::NoBuckets { section } => write!(
                f,
                "section `{section}` of the published set has no hash buckets; publish it with shards once"
            ),
            Self::NotReplaced { name } => write!(
                f,
                "shard `{name}` is not of a bucket that the update replaces; name its bucket when the update starts"
            ),
            Self::Position { text } => write!(
                f,
                "{text:?} cannot be recorded as the name of a source or as its position; use up to 200 visible ASCII \
                 characters without `\"`, `\\` and `;`"
            ),
            Self::UrlCount { expected, found } => write!(
                f,
                "the shards have {}, but {expected} {} expected, so the published set stays as it is; \
                 check that the rows of all shards were added",
                counted_urls(*found),
                if *expected == 1 { "is" } else { "are" }
            ),
        }
    }
}

impl std::error::Error for ShardError {}
