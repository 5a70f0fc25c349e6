//! The size and content of a finished document.

use crate::value::LastMod;

/// The size of a finished document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentSize {
    /// The number of entries: URLs, or child sitemaps in an index.
    pub entries: u64,
    /// The number of bytes before compression.
    pub bytes: u64,
}

/// The content of a finished document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    pub(crate) size: DocumentSize,
    /// The newest `lastmod` of its pages.
    pub(crate) newest: Option<LastMod>,
}
