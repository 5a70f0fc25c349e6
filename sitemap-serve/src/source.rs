//! The interface through which the service finds files, in a storage's cache or in a live set.

use std::fmt;
use std::sync::Arc;

use super::file::File;

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

    /// Finds a file. May block on a disk or a network.
    fn find(&self, name: &str) -> Found;
}
