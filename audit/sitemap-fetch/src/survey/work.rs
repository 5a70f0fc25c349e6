//! Runs a survey as a fetcher's work.

use std::ops::ControlFlow;

use sitemap_pages::state::State;
use sitemap_pages::visit::Visit;

use super::progress::SurveyProgress;
use super::store::Storing;
use crate::{Request, RobotsFile, RunProgress, Work};

/// The requests of a survey, and the results of its visits.
pub(super) trait Asks {
    /// Returns the next request. Returns `None` if there is none at the moment, or if the state file could not be read
    /// or written.
    fn next(&mut self, storing: &mut Storing<'_>) -> Option<Request>;

    /// Receives a visit and stores it.
    fn done(&mut self, storing: &mut Storing<'_>, visit: Visit);

    /// Returns the number of pages that an earlier call had visited.
    fn resumed(&self) -> u64;

    /// Returns the total number of visits, including those of earlier calls, as far as it is known.
    fn expected(&self, state: &State) -> u64;
}

/// A survey's work.
pub(super) struct Asking<'a, A> {
    pub(super) storing: Storing<'a>,
    pub(super) asks: A,
}

impl<A: Asks> Work for Asking<'_, A> {
    fn next(&mut self) -> Option<Request> {
        self.asks.next(&mut self.storing)
    }

    fn done(&mut self, visit: Visit) -> ControlFlow<()> {
        self.asks.done(&mut self.storing, visit);
        if self.storing.error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn store_robots(&mut self, file: &RobotsFile) {
        self.storing.store_robots(file);
    }

    fn progress(&mut self, progress: &RunProgress) {
        let (resumed, expected) = (self.asks.resumed(), self.asks.expected(self.storing.state));
        (self.storing.on_progress)(&SurveyProgress { run: *progress, resumed, expected });
    }
}
