//! How far a survey is.

use crate::RunProgress;

/// How far a survey is.
///
/// ```
/// use sitemap_fetch::survey::SurveyProgress;
///
/// let mut progress = SurveyProgress::default();
/// progress.run.visited = 30;
/// progress.resumed = 10;
/// progress.expected = 500;
/// assert_eq!(progress.done(), 40);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SurveyProgress {
    /// The numbers of this call.
    pub run: RunProgress,
    /// The number of pages that an earlier, interrupted call had visited, as far as this call has reached them.
    pub resumed: u64,
    /// The number of visits in all, as far as it is known: a crawl finds more links, and a check finds more pages that
    /// listed pages name. At the end of a survey, it is the number of those that are done.
    pub expected: u64,
}

impl SurveyProgress {
    /// Returns the number of visits that are done, by this call and by earlier ones.
    pub const fn done(&self) -> u64 {
        self.run.visited + self.resumed
    }
}
