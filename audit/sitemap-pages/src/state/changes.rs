//! How many pages changed in a run.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The number of pages whose main content a run saw, by how the content compares with earlier runs.
///
/// ```
/// use sitemap_pages::state::ContentChanges;
///
/// let changes = ContentChanges::new(1, 3, 6);
/// assert_eq!(changes.pages(), 10);
/// assert_eq!(changes.to_string(), "1 new, 3 changed, 6 unchanged");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ContentChanges {
    /// The number of pages whose content no earlier run has seen. They get no date.
    pub new: u64,
    /// The number of pages whose content differs from what an earlier run saw. Their date becomes the time of this
    /// visit.
    pub changed: u64,
    /// The number of pages whose content is the same. They keep their dates.
    pub unchanged: u64,
}

impl ContentChanges {
    /// Creates the numbers of new, changed and unchanged pages.
    pub const fn new(new: u64, changed: u64, unchanged: u64) -> Self {
        Self { new, changed, unchanged }
    }

    /// Returns the number of pages whose content the run saw.
    pub const fn pages(&self) -> u64 {
        self.new + self.changed + self.unchanged
    }
}

impl fmt::Display for ContentChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} new, {} changed, {} unchanged", self.new, self.changed, self.unchanged)
    }
}
