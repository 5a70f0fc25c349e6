//! The result of a survey.

use sitemap_pages::state::{ContentChanges, Gap};

use crate::RunSummary;

/// The result of a survey.
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
    /// The requests made by this call.
    pub summary: RunSummary,
    /// The number of visits to URLs that can't exist.
    pub probes: u64,
    /// The number of pages that an earlier, interrupted call had visited.
    pub resumed: u64,
    /// The numbers of pages whose content is new or has changed. Set once the run is finished.
    pub changes: ContentChanges,
    /// The reasons why the run is incomplete.
    pub gaps: Vec<Gap>,
    /// The number of links to pages that [`Survey::only`](super::Survey::only) does not accept. A link that occurs on
    /// several pages may be counted several times.
    pub excluded: u64,
    /// Whether the time limit ended the call, so that another call has to continue the run.
    pub unfinished: bool,
}

impl Done {
    /// Returns `true` if the run is finished.
    pub const fn is_finished(&self) -> bool {
        !self.unfinished
    }
}
