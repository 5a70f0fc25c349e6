//! One set written by many processes: each *writes shards* and gets a row for every shard; one process *commits* all
//! rows.
//!
//! A shard is one immutable file, named by section, bucket, number and digest. Its bucket comes from the URLs in it,
//! never from the process that writes it, so a process that repeats the work of another writes the same file again.

mod commit;
mod error;
mod row;
mod target;
mod writer;

pub use commit::ShardCommit;
pub use error::ShardError;
pub use row::{ShardRow, ShardRowError};
pub use writer::{ShardWriter, WrittenShards};

/// Returns the bucket of a URL: the CRC-32 of its UTF-8 bytes (the one of gzip, `crc32` in Spark SQL, `zlib.crc32` in
/// Python), modulo the number of buckets.
///
/// It takes the text as the source has it, before it becomes a [`Loc`](crate::Loc), so that engines can sort rows by
/// bucket themselves. It is the same in every release. Of 0 buckets it is 0.
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
