//! The number of a file.

/// The position of a file in a report, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId(pub(super) u32);
