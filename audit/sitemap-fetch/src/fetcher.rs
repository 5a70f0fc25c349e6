//! Visits a single page or many.

use std::ops::ControlFlow;
use std::time::SystemTime;

use sitemap_pages::visit::{Failure, FailureKind, Outcome, Visit};

use crate::client::HttpClient;
use crate::downloader::Downloader;
use crate::downloads::Downloads;
use crate::error::FetchError;
use crate::options::FetchOptions;
use crate::post::{Posted, post};
use crate::progress::RunSummary;
use crate::request::Request;
#[cfg(feature = "survey")]
use crate::robots::RobotsFile;
use crate::run::Run;
#[cfg(feature = "survey")]
use crate::separate_thread;
use crate::work::Work;

/// An HTTP client that visits pages politely.
///
/// Its methods need a tokio runtime with network and time enabled.
///
/// ```
/// use sitemap_fetch::{FetchOptions, Fetcher};
///
/// let fetcher = Fetcher::new(FetchOptions::new())?;
/// assert_eq!(fetcher.product_token(), "sitemap");
/// # Ok::<(), sitemap_fetch::FetchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fetcher {
    http: HttpClient,
}

impl Fetcher {
    /// Creates a client. If the process has no default rustls provider, installs ring.
    ///
    /// # Errors
    ///
    /// Returns an error if the user agent or a header is invalid, or if the system's certificates can't be loaded.
    pub fn new(options: FetchOptions) -> Result<Self, FetchError> {
        HttpClient::new(options).map(|http| Self { http })
    }

    /// Returns the crawler's name, as used in the groups of robots.txt.
    pub fn product_token(&self) -> &str {
        self.http.product_token()
    }

    /// Visits one page, after requesting its host's robots.txt. `now` is the current time.
    ///
    /// Each call requests robots.txt again. To visit many pages, use [`run`](Self::run).
    pub async fn visit(&self, now: SystemTime, request: Request) -> Visit {
        let url = request.url().to_owned();
        let mut work = One { request: Some(request), visit: None };
        self.run(now, &mut work).await;
        // A run reports a visit for every request, so there is one here.
        work.visit.unwrap_or_else(|| {
            let failure = Failure::new(FailureKind::Interrupted, "the visit was not made");
            Visit::new(url, now, Outcome::Failed(failure))
        })
    }

    /// Returns a downloader, and the future that drives its downloads. Spawn the future on a tokio runtime.
    ///
    /// The future ends once the downloader and its clones have been dropped and all downloads have ended. If you drop
    /// the future, all unfinished downloads fail.
    ///
    /// ```no_run
    /// use sitemap_fetch::{Download, FetchOptions, Fetcher};
    ///
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// let (downloader, driver) = Fetcher::new(FetchOptions::new())?.downloader();
    /// tokio::spawn(driver);
    /// let mut sitemap = downloader.start(Download::new("https://example.com/sitemap.xml", "/tmp/sitemap.xml"));
    /// let mut other = downloader.start(Download::new("https://example.org/sitemap.xml", "/tmp/other.xml"));
    /// println!("{} bytes", sitemap.wait().await.outcome?.len);
    /// println!("{} bytes", other.wait().await.outcome?.len);
    /// # Ok(())
    /// # }
    /// ```
    pub fn downloader(&self) -> (Downloader, impl Future<Output = ()> + Send + use<>) {
        let (downloader, downloads) = Downloads::new(&self.http);
        (downloader, downloads.finish())
    }

    /// Posts a document to a URL, without retries. Redirects are not followed, and extra headers are not sent because
    /// they are meant for the hosts of pages.
    ///
    /// # Errors
    ///
    /// Returns a failure if there is no response within the [time limit](FetchOptions::timeout).
    pub async fn post(
        &self,
        url: &str,
        content_type: &str,
        body: impl Into<String>,
    ) -> Result<Posted, Failure> {
        post(&self.http, url, content_type, body.into()).await
    }

    /// Visits pages until there are none left, on many hosts in parallel.
    ///
    /// `now` is the current time. Each visit is stamped with the time when its last request started: `now` plus the
    /// time elapsed since, or just `now` with [`fixed_time`](FetchOptions::fixed_time).
    ///
    /// To end a run early, return `Break` from [`Work::done`] or drop the future. Both cancel the requests under way.
    pub async fn run<W: Work>(&self, now: SystemTime, work: &mut W) -> RunSummary {
        Run::new(&self.http, now, work).finish().await
    }

    /// Like [`run`](Self::run), but keeps starting requests and receiving responses while the work is busy. `robots` is
    /// called in place of [`Work::robots`].
    #[cfg(feature = "survey")]
    pub(crate) async fn run_apart<W: Work>(
        &self,
        now: SystemTime,
        robots: Vec<RobotsFile>,
        work: &mut W,
    ) -> RunSummary {
        separate_thread::run(&self.http, now, robots, work).await
    }
}

/// Work that consists of a single request.
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
