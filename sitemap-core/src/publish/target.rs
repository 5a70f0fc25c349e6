//! Where a run writes its files.

use std::fmt;
use std::path::PathBuf;

use super::error::PublishError;
use crate::write::Content;

/// Where files are written: to a set, or to the shards of a set.
pub(crate) trait Target: fmt::Debug + Send + Sync + 'static {
    /// A file that is being written.
    type Open: fmt::Debug + Send;
    /// A file that is complete.
    type File: fmt::Debug + Send;

    fn open(&self, name: &str) -> Result<Self::Open, PublishError>;

    fn write(&self, file: &mut Self::Open, name: &str, bytes: &[u8]) -> Result<(), PublishError>;

    /// Completes a file. The run calls this once per file, after the last byte.
    fn finish(&self, file: Self::Open, name: &str, content: Content) -> Result<Self::File, PublishError>;

    /// Returns the path or URL of a file, for error messages.
    fn locate(&self, name: &str) -> PathBuf;
}
