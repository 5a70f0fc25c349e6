//! The interface through which a run gets its requests and reports its visits.

use std::ops::ControlFlow;

use sitemap_pages::visit::Visit;

use crate::progress::RunProgress;
use crate::request::Request;
use crate::robots::RobotsFile;

/// Provides the requests of a run and receives its visits.
///
/// The run calls these methods itself, one at a time. While one of them is running, no visit is processed, so they
/// should be fast.
///
/// ```
/// use std::ops::ControlFlow;
/// use sitemap_fetch::{Request, Work};
/// use sitemap_pages::visit::Visit;
///
/// /// Visits pages, and the pages to which these name as canonical.
/// #[derive(Default)]
/// struct Canonicals {
///     to_visit: Vec<String>,
///     visits: Vec<Visit>,
/// }
///
/// impl Work for Canonicals {
///     fn next(&mut self) -> Option<Request> {
///         self.to_visit.pop().map(Request::new)
///     }
///
///     fn done(&mut self, visit: Visit) -> ControlFlow<()> {
///         // `next` may return further requests after `None`.
///         self.visits.push(visit);
///         ControlFlow::Continue(())
///     }
/// }
///
/// let mut work = Canonicals::default();
/// work.to_visit.push("https://example.com/".to_owned());
/// assert_eq!(work.next().unwrap().url(), "https://example.com/");
/// ```
pub trait Work {
    /// Returns the next request, or `None` if there is none at the moment.
    ///
    /// After `None`, the run asks again when a visit is done. The run ends once all visits are done and there is no
    /// further request.
    fn next(&mut self) -> Option<Request>;

    /// Receives a visit. Visits may arrive in a different order than their requests. `Break` ends the run and cancels
    /// requests under way.
    fn done(&mut self, visit: Visit) -> ControlFlow<()>;

    /// Returns the robots.txt of an origin, such as `https://example.com`, if an earlier run requested it. If this
    /// returns `None` or an answer older than 24 hours, the run requests the file.
    fn robots(&mut self, origin: &str) -> Option<RobotsFile> {
        let _ = origin;
        None
    }

    /// Receives a robots.txt that the run has requested.
    fn store_robots(&mut self, file: &RobotsFile) {
        let _ = file;
    }

    /// Receives the run's counters after each visit.
    fn progress(&mut self, progress: &RunProgress) {
        let _ = progress;
    }
}
