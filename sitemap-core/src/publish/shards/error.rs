//! What can be wrong with shards.

use std::fmt;

/// Shards that do not make a set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShardError {
    /// A bucket that is not one of so many.
    Bucket {
        /// The bucket, counted from 0.
        bucket: u32,
        /// How many there are.
        buckets: u32,
    },
    /// A bucket's rows came in two parts, with those of other buckets between them.
    Reopened {
        /// The bucket.
        bucket: u32,
    },
    /// A shard was written for another site than the commit is for.
    Site {
        /// Its name.
        name: Box<str>,
        /// The address of the folder that the commit's set is served from.
        expected: Box<str>,
        /// That of the shard's set.
        found: Box<str>,
    },
    /// Shards of one section were written with different numbers of buckets.
    Buckets {
        /// The name of the shard whose row came first, and its number.
        one: (Box<str>, u32),
        /// The same of another.
        other: (Box<str>, u32),
    },
    /// Two rows say different things of the same shard.
    Conflict {
        /// The row that came first.
        one: Box<str>,
        /// The row that came later.
        other: Box<str>,
    },
    /// A shard is not where its row says, or not as large.
    Missing {
        /// Its name.
        name: Box<str>,
        /// The bytes it should have.
        expected: u64,
        /// The bytes it has; `None` if there is none.
        found: Option<u64>,
    },
    /// All shards together have more or fewer pages than they should.
    Total {
        /// How many there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
}

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bucket { buckets: 0, .. } => f.write_str("there must be at least one bucket, found 0"),
            Self::Bucket { bucket, buckets } => {
                write!(f, "a bucket is a number below the number of buckets, {buckets}, found {bucket}")
            }
            Self::Reopened { bucket } => write!(
                f,
                "the rows of a bucket must come one after another; sort them by bucket, then by address, \
                 found bucket {bucket} again after others"
            ),
            Self::Site { name, expected, found } => write!(
                f,
                "shard `{name}` was written for another site than `{expected}`; give writers and commit the \
                 same address, found `{found}`"
            ),
            Self::Buckets { one: (one, first), other: (other, second) } => write!(
                f,
                "the shards of a section must all have been written with one number of buckets; write all \
                 again with one, found {first} for `{one}` and {second} for `{other}`"
            ),
            Self::Conflict { one, other } => write!(
                f,
                "two rows tell of one shard with different content; its rows were not in the same order, the \
                 source has changed between two attempts, or only one writer compresses: write all shards again \
                 from one state of it with the same settings, found {one} and {other}"
            ),
            Self::Missing { name, expected, found: None } => write!(
                f,
                "shard `{name}` is missing; write its bucket again, found no file where there should be one of \
                 {expected} bytes"
            ),
            Self::Missing { name, expected, found: Some(found) } => write!(
                f,
                "shard `{name}` is not the one its row tells of; write its bucket again, found {found} bytes \
                 where there should be {expected}"
            ),
            Self::Total { expected, found } => write!(
                f,
                "the shards do not have as many pages as expected, {expected}; the old set was left as it is, \
                 found {found}"
            ),
        }
    }
}

impl std::error::Error for ShardError {}
