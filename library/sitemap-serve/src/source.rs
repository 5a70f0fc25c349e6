//! How the service finds files: in a cache of files from storage, or in a live set.

use std::fmt;
use std::sync::Arc;

use super::file::File;
use super::service_status::ServiceStatus;

/// The result of a search for a file.
#[derive(Debug)]
pub(super) enum Found {
    File(Arc<File>),
    /// The set has no such file.
    Missing,
    /// There is no set yet.
    NoSet,
    /// The storage failed.
    Failed,
}

pub(super) trait Source: fmt::Debug + Send + Sync {
    /// Finds a file without blocking. Returns `None` if the search could block.
    fn find_ready(&self, name: &str) -> Option<Found>;

    /// Returns `true` if this is the name of an index and a (possibly outdated) copy of the index is in memory. While
    /// one request checks the index, others get that copy, so the check must not queue behind requests that read other
    /// files.
    fn has_index(&self, name: &str) -> bool;

    /// Records that a file was compressed and now takes more memory.
    fn note_growth(&self) {}

    /// Returns the status without asking the storage.
    fn status(&self) -> ServiceStatus;

    /// Finds a file. May block on disk or network access.
    fn find(&self, name: &str) -> Found;
}
