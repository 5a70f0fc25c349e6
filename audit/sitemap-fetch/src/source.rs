//! Where the requests of a run come from: work on the same thread, or on another one.

use std::future::{Future, pending};
use std::ops::ControlFlow;

use sitemap_pages::visit::Visit;

use crate::progress::RunProgress;
use crate::request::Request;
use crate::robots::RobotsFile;
use crate::work::Work;

/// What a run asks for requests, and tells of visits.
pub(crate) trait Source {
    /// Returns the next request, or `None` if there is none at the moment.
    fn next(&mut self) -> Option<Request>;

    /// Takes a visit, and the numbers of the run. `Break` ends the run.
    fn done(&mut self, visit: Visit, progress: &RunProgress) -> ControlFlow<()>;

    /// Returns the robots.txt of an origin if it was requested before.
    fn robots(&mut self, origin: &str) -> Option<RobotsFile>;

    /// Takes a robots.txt.
    fn store_robots(&mut self, file: &RobotsFile);

    /// Returns what a source on another thread is doing.
    fn there(&self) -> There {
        There::Nothing
    }

    /// Waits for news from another thread.
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
    /// There is no other thread, or it has ended: there are no requests but those of visits that are not done.
    Nothing,
    /// It waits for visits.
    Waits,
    /// It works on visits, and may have requests then.
    Works,
    /// It has so many visits to work on that no request should start.
    IsBehind,
    /// It does not want the visits any more.
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
