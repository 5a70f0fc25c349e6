//! Shards: files that let many processes write one set together. Each process *writes shards*. For every shard, it gets
//! a row, which is a short description of the shard. Then one process *commits* all rows, which publishes the set.
//!
//! A shard is an immutable file. Its name has the section, the hash bucket, a number and the digest of the file. The
//! bucket depends on the URLs in the shard, not on the process, so a process that repeats the work of another process
//! writes the same file again.

mod checks;
mod commit;
mod error;
mod find;
mod like;
mod published;
mod recent;
mod reuse;
mod row;
mod source;
mod target;
mod update;
mod writer;

pub use commit::ShardCommit;
pub use error::ShardError;
pub use published::{PublishedShard, PublishedShards};
pub use row::{ShardRow, ShardRowError};
pub use source::{SourceDigest, SourceDigestError, SourceDigester};
pub use writer::{ShardWriter, WrittenShards};

/// Returns the hash bucket of a URL: the CRC-32 of its UTF-8 bytes, modulo the number of buckets. Returns 0 for 0
/// buckets.
///
/// This CRC-32 is the same as in gzip, in `crc32` of Spark SQL and in `zlib.crc32` of Python, so a data engine can sort
/// the records by bucket. `loc` is the text in the data source, before it is parsed as a [`Loc`](crate::Loc). The
/// bucket of a URL is the same in every release.
///
/// ```
/// use sitemap_core::publish::bucket_of;
///
/// assert_eq!(bucket_of("https://example.com/a", 100), 46);
/// ```
#[must_use]
pub fn bucket_of(loc: &str, buckets: u32) -> u32 {
    crc32fast::hash(loc.as_bytes()).checked_rem(buckets).unwrap_or_default()
}
