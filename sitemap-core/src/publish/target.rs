//! The destination of the files that a run writes.

use std::fmt;
use std::path::PathBuf;

use super::error::PublishError;
use crate::write::Content;

/// The destination of files: a set, or the shards of a set.
pub(crate) trait Target: fmt::Debug + Send + Sync + 'static {
    /// A file that is being written.
    type Open: fmt::Debug + Send;
    /// A file that is complete.
    type File: fmt::Debug + Send;

    fn open(&self, name: &str) -> Result<Self::Open, PublishError>;

    fn write(&self, file: &mut Self::Open, name: &str, bytes: &[u8]) -> Result<(), PublishError>;

    /// Completes a file. The run calls this function once for each file, after the last byte of the file.
    fn finish(&self, file: Self::Open, name: &str, content: Content) -> Result<Self::File, PublishError>;

    /// Returns the path or URL of a file, for error messages.
    fn locate(&self, name: &str) -> PathBuf;
}
