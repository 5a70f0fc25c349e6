//! Many documents, one set: sections, files, index, summary.

mod commit;
mod digest;
mod file;
mod journal;
mod json;
mod manifest;
mod name;
mod options;
mod publisher;
mod section;
mod shard;
mod sink;
mod staged;
mod storage;
mod summary;

pub use name::SectionNameError;
pub use options::{IndexLastMod, Names, OnInvalid, PublisherBuilder};
pub use publisher::Publisher;
pub use section::Section;
pub use shard::{ShardKey, Sharded};
pub use storage::{Directory, Guard, Memory, NewFile, Stat, Storage};
pub use summary::{PublishedFile, Skipped, Summary};
