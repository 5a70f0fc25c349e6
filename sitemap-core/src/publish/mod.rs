//! Many documents, one set: sections, files, index, summary.

mod beside;
mod commit;
mod digest;
mod file;
#[cfg(feature = "gzip")]
mod gzip;
mod journal;
mod json;
mod lane;
mod manifest;
pub mod name;
mod options;
mod persister;
mod publisher;
mod run;
mod section;
mod shard;
#[cfg(feature = "shards")]
mod shards;
mod sink;
mod spare;
mod staged;
mod standing;
mod storage;
#[cfg(feature = "async")]
mod stream;
mod summary;
mod workers;

pub use digest::Digest;
pub use name::{ENTRY_POINT, content_type, is_of_set, of_index};
pub use name::{SectionNameError, section_of};
pub use options::{IndexLastMod, Names, OnInvalid, PublisherBuilder};
pub use publisher::Publisher;
pub use section::Section;
pub use shard::{ShardKey, Sharded};
#[cfg(feature = "shards")]
pub use shards::{ShardCommit, ShardError, ShardRow, ShardRowError, ShardWriter, WrittenShards, bucket_of};
pub use storage::{Directory, Guard, Memory, NewFile, Stat, Storage};
pub use summary::{PublishedFile, Skipped, Summary};
