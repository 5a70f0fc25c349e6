//! One set written by many processes: *write shards*, each giving a row; *commit* all rows.
//!
//! A shard is one immutable file, named by section, bucket, number and digest. Its bucket comes from the
//! addresses in it, never from the process that writes it, so a process that does the work of another
//! once more writes the same file again.

mod commit;
mod error;
mod row;
mod sink;
mod writer;

pub use commit::ShardCommit;
pub use error::ShardError;
pub use row::{ShardRow, ShardRowError};
pub use writer::{ShardWriter, WrittenShards};

/// The bucket of an address: the CRC-32 of its UTF-8 bytes (that of gzip, `crc32` in Spark's SQL,
/// `zlib.crc32` in Python), modulo the number of buckets.
///
/// Of the text as the source has it, before it becomes a [`Loc`](crate::Loc), so that engines can sort
/// rows by it themselves. It is the same in every release. Without buckets it is 0.
///
/// ```
/// assert_eq!(sitemap_core::bucket_of("https://example.com/a", 100), 46);
/// ```
#[must_use]
pub fn bucket_of(loc: &str, buckets: u32) -> u32 {
    crc32fast::hash(loc.as_bytes()).checked_rem(buckets).unwrap_or_default()
}
