//! Publishes complete files as a set.

mod commit;
mod current;
pub(super) mod digest;
mod exclusion;
mod journal;
mod json;
mod manifest;
pub(super) mod names;
mod next;
mod retire;
mod side_file;
mod staged;

pub(super) use commit::Commit;
pub(super) use digest::Digest;
pub(super) use journal::RemovedFiles;
pub(super) use manifest::Kind;
#[cfg(feature = "shards")]
pub(super) use manifest::Row;
pub(super) use next::NextSet;
#[cfg(feature = "shards")]
pub(super) use next::SetFile;
pub(super) use side_file::put_side_file;
