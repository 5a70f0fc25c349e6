//! Where a run gets its requests from, and where it reports to.

use std::ops::ControlFlow;

use sitemap_pages::visit::Visit;

use crate::progress::RunProgress;
use crate::request::Request;
use crate::robots::RobotsFile;

/// The requests of a run, and the place for their visits.
///
/// All methods are called by the run itself, one at a time. While one of them works, no visit is taken, so they should
/// be short.
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
    /// After `None`, the run asks again when a visit is done. It ends when all visits are done and there is no request.
    fn next(&mut self) -> Option<Request>;

    /// Takes a visit. The order of visits may differ from that of the requests. `Break` ends the run: requests under
    /// way are dropped.
    fn done(&mut self, visit: Visit) -> ControlFlow<()>;

    /// Returns the robots.txt of an origin, such as `https://example.com`, if it was requested before. Otherwise, and if
    /// the answer is older than 24 hours, the run requests it.
    fn robots(&mut self, origin: &str) -> Option<RobotsFile> {
        let _ = origin;
        None
    }

    /// Takes a robots.txt that the run has requested.
    fn store_robots(&mut self, file: &RobotsFile) {
        let _ = file;
    }

    /// Takes the numbers of the run, after each visit.
    fn progress(&mut self, progress: &RunProgress) {
        let _ = progress;
    }
}
