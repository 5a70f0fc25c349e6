//! Publishes complete files as a set.

mod changes;
mod commit;
mod copy;
mod count;
mod current;
pub(super) mod digest;
mod exclusion;
mod formats;
mod guard;
mod history;
mod journal;
mod json;
mod keep;
mod keepable;
mod lines;
mod lookup;
pub(super) mod manifest;
pub(super) mod names;
mod next;
mod positions;
#[cfg(feature = "shards")]
mod published;
pub(super) mod recent;
mod replaced;
mod retire;
mod row;
mod side_file;
mod staged;

pub(super) use commit::Commit;
pub(super) use digest::Digest;
pub(super) use guard::Guard;
pub(super) use journal::RemovedFiles;
#[cfg(feature = "shards")]
pub(super) use lookup::metadata_of;
#[cfg(feature = "shards")]
pub(super) use manifest::KnownManifest;
pub(super) use next::NextSet;
#[cfg(feature = "shards")]
pub(super) use next::SetFile;
#[cfg(feature = "shards")]
pub(super) use positions::Positions;
#[cfg(feature = "shards")]
pub(super) use published::{described_manifest, published_manifest, recover};
pub(super) use row::Kind;
#[cfg(feature = "shards")]
pub(super) use row::Row;
pub(super) use side_file::put_side_file;
