//! Publishing a set: settings, sections, the summary of a run, and shards that several processes write.
//!
//! | task | item |
//! |---|---|
//! | publish from one process | [`Publisher`], its [`builder`](Publisher::builder), its [`Section`]s |
//! | refuse a set that lost too many pages | [`ShrinkLimit`], [`AllowShrink`] |
//! | see the published files | [`Summary`] |
//! | publish the last changes as a feed | [`Feed`] |
//! | publish from many processes | [`ShardWriter`] and [`ShardCommit`] |
//! | write only the hash buckets whose rows have changed | [`SourceDigester`] |
//! | recognise the files of a set | [`is_set_file`], [`section_of`], [`content_type`] |

mod buckets;
mod claims;
mod error;
mod feed;
mod fill;
mod options;
mod publisher;
mod section;
mod set;
mod shards;
mod shrink;
mod skipped;
#[cfg(feature = "async")]
mod stream;
mod summary;
mod target;

pub use buckets::{BucketKey, ByKey, InOrder, Routing};
pub use error::{PublishError, PublishErrorKind};
pub use feed::{Feed, FeedChange, FeedSummary};
pub use options::{IndexLastMod, Names, OnInvalid, PublisherBuilder};
pub use publisher::Publisher;
pub use section::Section;
pub use set::digest::content_digest;
pub use set::manifest::kept_files;
pub use set::names::{
    ENTRY_POINT, FEED, JOURNAL, MANIFEST, RECENT, SectionNameError, content_type,
    index_file_name, is_recent_file, is_set_file, section_of,
};
pub use set::recent::RecentCounts;
pub use shards::{
    PublishedShard, PublishedShards, ShardCommit, ShardError, ShardRow, ShardRowError, ShardWriter,
    SourceDigest, SourceDigestError, SourceDigester, WrittenShards, bucket_of,
};
pub use shrink::{AllowShrink, ShrinkLimit, ShrinkLimitError, Shrinkage};
pub use skipped::SkippedRecord;
pub use summary::{PublishedFile, Summary};
