//! The ID of a file within a report.

/// The number of entries to read between checks of their XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId(pub(super) u32);
