//! The interface through which the service finds files, in a storage's cache or in a live set.

use std::fmt;
use std::sync::Arc;

use super::file::File;
use super::service_status::ServiceStatus;

/// The result of looking for a file.
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

    /// Returns `true` if the name is that of an index, and a copy of it is in memory, which may be outdated. Other requests
    /// get the copy while one request checks it, so that request must not wait for those that read other files.
    fn has_index(&self, name: &str) -> bool;

    /// Notes that a file has been compressed, so that it takes more memory.
    fn note_growth(&self) {}

    /// Returns what is known without asking a storage.
    fn status(&self) -> ServiceStatus;

    /// Finds a file. May block on a disk or a network.
    fn find(&self, name: &str) -> Found;
}
