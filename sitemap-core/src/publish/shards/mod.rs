//! Lets many processes write one set together, as shards. Each process *writes shards*. For every shard, it gets a row,
//! which is a short description of the shard. Then one process *commits* all rows, which publishes the set.
//!
//! A shard is an immutable file. Its name consists of the section, the hash bucket, a number and the digest of the
//! file. The bucket depends on the URLs in the shard, not on the process, so a process that repeats the work of another
//! one writes the same file again.
//!
//! | what | where |
//! |---|---|
//! | writing shards and their rows | `writer`, `target`, `row`, `source` |
//! | committing them | `commit`, `find`, `checks`, `update`, `recent`, `error` |
//! | the shards of a published set | `published`, `reuse` |
//!
//! # Buckets
//!
//! The bucket of a page is the CRC-32 of its URL, as spelled in the input, modulo the number of buckets. CRC-32 was
//! chosen because most query engines can compute it. The writer computes the bucket again from the published URL, and
//! the manifest records whether all pages of a shard are in the bucket of their URL. Only then is it enough to read one
//! bucket to find a URL, and to rewrite one bucket to change it.
//!
//! # The commit
//!
//! [`ShardCommit`] ignores repeated rows, and rejects rows of another site or with a different number of buckets. It
//! checks that each shard exists, and publishes the shards with the same commit as a [`Replacement`](crate::Replacement)
//! (`publish/set`).
//!
//! Checking 400,000 shards in an object store one by one takes minutes, so the commit checks many at once
//! ([`Storage::find_listed`](crate::Storage::find_listed)); S3 lists a thousand files per request. This is as safe as
//! single requests: [S3 lists each file that was stored
//! before](https://docs.aws.amazon.com/AmazonS3/latest/userguide/Welcome.html#ConsistencyModel), and a shard missing
//! from a list is checked by name. If fewer than one in 32 listed files is a shard of the commit, listing stops,
//! because single requests are then cheaper. No shard can vanish between the check and the commit: only a commit
//! removes shards, and only old ones, because a shard that was never committed may belong to a job in progress.
//!
//! # Updates
//!
//! A commit can replace single buckets ([`ShardCommit::update`]). It keeps the rows of all other buckets without
//! reading their files. It compares the names of the replaced shards with those that the caller read, and ends with
//! `Overtaken` if another run has changed one of these buckets. The caller then reads and merges again. Two more rules
//! make this safe:
//!
//! | if the caller | it passes | so that |
//! |---|---|---|
//! | publishes a whole section | the set from before it began ([`ShardCommit::if_unchanged`]) | rows that were read first do not replace newer ones |
//! | found that a change has no effect | the bucket ([`ShardCommit::check_unchanged`]) | a page that another run adds meanwhile is still removed |
//! | publishes the changes of a source | the position of the source ([`ShardCommit::position`]) | two mirrors cannot publish the same changes in the wrong order |
//! | reads all rows while mirrors run | the position from before ([`ShardCommit::if_position`]) | the rows do not undo what a mirror published meanwhile |
//! | could lose too many pages | the numbers, before it writes ([`PublishedShards::check_shrink`]) | a refused run writes nothing |
//!
//! After locking the set, the commit reads the manifest again, and parses it only if its digest has changed. Comparing
//! size and time would not be enough, because two commits within one clock tick can produce manifests with the same
//! size and time. Replaced shards stay for at least 15 minutes, because other updates may still read them.
//!
//! # Unchanged buckets
//!
//! A program that regenerates a set from a table can skip the buckets whose rows haven't changed. It computes one
//! digest of the table rows in a bucket, in any order ([`SourceDigester`]), and stores it in the bucket's shard rows.
//! The next run compares its own digest ([`PublishedShards::written_from`]), and neither sorts nor writes a bucket
//! whose digest is the same. Before that, it checks that the files still exist ([`PublishedShards::forget_lost`]), so
//! that a lost file is written again. An update drops the digests of the buckets that it writes, because their pages no
//! longer match the table.
//!
//! # The feed and the recent section
//!
//! The feed and the recent section are rows of the manifest, so each commit publishes them together with the pages. The
//! commit reads the published feed after locking the set and adds its own changes, so updates of different buckets lose
//! no changes of the feed. The recent section is a shard of the reserved section `recent`, with its own kind of row, so
//! that its pages aren't counted twice. An update replaces it only if it is still the one that the update read. All
//! other commits that change a page remove it, because only an update knows which of its entries are still valid.
//!
//! `library/sitemap-update/tests/sim` simulates updates, publications and readers on one storage, with lost responses,
//! late requests and crashes, and compares each published set with the changes that were applied.

mod checks;
mod commit;
mod error;
mod find;
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

pub use super::set::recent::RecentCounts;
pub use crate::write::bucket_of;
