//! What a survey has done.

use sitemap_pages::state::{ContentChanges, Gap};

use crate::RunSummary;

/// What a survey has done.
///
/// ```
/// use sitemap_fetch::survey::Done;
///
/// let mut done = Done::default();
/// assert!(done.is_finished() && done.gaps.is_empty());
/// done.unfinished = true;
/// assert!(!done.is_finished());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Done {
    /// The requests of this call.
    pub summary: RunSummary,
    /// The number of visits that were of URLs that cannot exist.
    pub probes: u64,
    /// The number of pages that an earlier, interrupted call had visited.
    pub resumed: u64,
    /// The pages whose content is new or changed, once the run is finished.
    pub changes: ContentChanges,
    /// What the run left out.
    pub gaps: Vec<Gap>,
    /// Whether a limit on time ended the call, so that a further call continues.
    pub unfinished: bool,
}

impl Done {
    /// Returns `true` if the run is finished.
    pub const fn is_finished(&self) -> bool {
        !self.unfinished
    }
}
