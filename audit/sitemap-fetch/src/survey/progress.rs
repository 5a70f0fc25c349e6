//! The progress of a survey.

use crate::RunProgress;

/// The progress of a survey.
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
    /// The counters of this call.
    pub run: RunProgress,
    /// The number of pages that an earlier, interrupted call had visited, among those that this call has reached so
    /// far.
    pub resumed: u64,
    /// The total number of visits, as far as it is known. It grows while a crawl finds links, and while a check finds
    /// pages that listed pages name. At the end of a survey, it is the number of visits made.
    pub expected: u64,
}

impl SurveyProgress {
    /// Returns the number of finished visits, including those of earlier calls.
    pub const fn done(&self) -> u64 {
        self.run.visited + self.resumed
    }
}
