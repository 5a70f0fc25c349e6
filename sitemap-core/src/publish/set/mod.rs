//! The way from whole files to the published set.

mod beside;
mod commit;
mod current;
pub(super) mod digest;
mod exclusion;
mod journal;
mod json;
mod manifest;
pub(super) mod names;
mod next;
mod staged;

pub(super) use beside::put_beside;
pub(super) use commit::Commit;
pub(super) use digest::Digest;
pub(super) use manifest::{Kind, Row};
pub(super) use next::NextSet;
#[cfg(feature = "shards")]
pub(super) use next::SetFile;
