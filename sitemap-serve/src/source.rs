//! Where the files come from.

use std::fmt;
use std::sync::Arc;

use super::file::File;

/// What looking for a file came to.
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
    /// Finds a file if that takes no wait; `None` if it may.
    fn at_hand(&self, name: &str) -> Option<Found>;

    /// Finds a file, and may wait for a disk or a network.
    fn find(&self, name: &str) -> Found;
}
