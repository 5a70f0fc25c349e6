//! The ID of a file within a report.

/// The index of a file in a report, starting at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId(pub(super) u32);
