//! Where a run gets its requests from: work on the same thread, or on another.

use std::future::{Future, pending};
use std::ops::ControlFlow;

use sitemap_pages::visit::Visit;

use crate::progress::RunProgress;
use crate::request::Request;
use crate::robots::RobotsFile;
use crate::work::Work;

/// Provides a run with requests and receives its visits.
pub(crate) trait Source {
    /// Returns the next request, or `None` if there is none at the moment.
    fn next(&mut self) -> Option<Request>;

    /// Receives a visit and the run's counters. `Break` ends the run.
    fn done(&mut self, visit: Visit, progress: &RunProgress) -> ControlFlow<()>;

    /// Returns an origin's robots.txt if it was requested before.
    fn robots(&mut self, origin: &str) -> Option<RobotsFile>;

    /// Takes a robots.txt.
    fn store_robots(&mut self, file: &RobotsFile);

    /// Returns what a source on another thread is doing.
    fn there(&self) -> There {
        There::Nothing
    }

    /// Waits for news from the other thread.
    fn news(&mut self) -> impl Future<Output = ()> {
        pending()
    }
}

/// What a source on another thread is doing.
#[cfg_attr(
    not(feature = "survey"),
    expect(dead_code, reason = "only a survey, which needs a state, has one")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum There {
    /// There is no other thread, or it has ended. No requests will come except in response to unfinished visits.
    Nothing,
    /// The other thread waits for visits.
    Waits,
    /// The other thread is processing visits, and may have requests afterwards.
    Works,
    /// The other thread is so far behind with visits that no request should start.
    IsBehind,
    /// The other thread no longer wants visits.
    Stopped,
}

impl<W: Work> Source for W {
    fn next(&mut self) -> Option<Request> {
        Work::next(self)
    }

    fn done(&mut self, visit: Visit, progress: &RunProgress) -> ControlFlow<()> {
        let flow = Work::done(self, visit);
        self.progress(progress);
        flow
    }

    fn robots(&mut self, origin: &str) -> Option<RobotsFile> {
        Work::robots(self, origin)
    }

    fn store_robots(&mut self, file: &RobotsFile) {
        Work::store_robots(self, file);
    }
}
