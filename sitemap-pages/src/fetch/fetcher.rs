//! Visits of one page and of many.

use std::ops::ControlFlow;
use std::time::SystemTime;

use super::client::HttpClient;
use super::error::FetchError;
use super::options::FetchOptions;
use super::progress::RunSummary;
use super::request::Request;
use super::run::Run;
use super::work::Work;
use crate::visit::{Failure, FailureKind, Outcome, Visit};

/// An HTTP client that visits pages politely.
///
/// Its methods need a tokio runtime with network and time.
///
/// ```
/// use sitemap_pages::fetch::{FetchOptions, Fetcher};
///
/// let fetcher = Fetcher::new(FetchOptions::new())?;
/// assert_eq!(fetcher.product_token(), "sitemap");
/// # Ok::<(), sitemap_pages::fetch::FetchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fetcher {
    http: HttpClient,
}

impl Fetcher {
    /// Returns a client. If the process has no default provider of rustls, sets ring.
    ///
    /// # Errors
    ///
    /// Returns an error if the user agent or a header is invalid, or if the system's certificates cannot be loaded.
    pub fn new(options: FetchOptions) -> Result<Self, FetchError> {
        HttpClient::new(options).map(|http| Self { http })
    }

    /// Returns the name of the crawler that the groups of robots.txt name.
    pub fn product_token(&self) -> &str {
        self.http.product_token()
    }

    /// Visits one page, after the robots.txt of its host. `at` becomes the time of the visit.
    ///
    /// Each call asks for robots.txt again. To visit many pages, use [`run`](Self::run).
    pub async fn visit(&self, at: SystemTime, request: Request) -> Visit {
        let url = request.url().to_owned();
        let mut work = One { request: Some(request), visit: None };
        self.run(at, &mut work).await;
        // A run reports each request, so there is a visit.
        work.visit.unwrap_or_else(|| {
            let failure = Failure::new(FailureKind::Interrupted, "the visit was not made");
            Visit { url, at, hops: Vec::new(), outcome: Outcome::Failed(failure) }
        })
    }

    /// Visits pages until there are no more, many hosts at the same time. `at` becomes the time of all visits.
    ///
    /// Pass the time at which the run began, also when it is resumed, so that the same answers give the same visits.
    ///
    /// To end a run early, let [`Work::done`] return `Break`, or drop the future: requests under way are dropped.
    pub async fn run<W: Work>(&self, at: SystemTime, work: &mut W) -> RunSummary {
        Run::new(&self.http, at, work).finish().await
    }
}

/// The work of one request.
struct One {
    request: Option<Request>,
    visit: Option<Visit>,
}

impl Work for One {
    fn next(&mut self) -> Option<Request> {
        self.request.take()
    }

    fn done(&mut self, visit: Visit) -> ControlFlow<()> {
        self.visit = Some(visit);
        ControlFlow::Continue(())
    }
}
