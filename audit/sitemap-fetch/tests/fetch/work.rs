//! The work used by the tests: a list of pages and their outcomes.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

use sitemap_fetch::{FetchOptions, Fetcher, Request, RobotsFile, RunProgress, RunSummary, Work};
use sitemap_pages::robots::RobotsAnswer;
use sitemap_pages::visit::{Outcome, Visit};

/// The start time of all runs.
pub(crate) const AT: SystemTime = SystemTime::UNIX_EPOCH;

/// Host names that resolve to a test's server.
const HOSTS: [&str; 4] = ["a.test", "b.test", "c.test", "d.test"];

/// Returns options that make a run depend only on planned time.
pub(crate) fn options(server: SocketAddr) -> FetchOptions {
    let options = FetchOptions::new()
        .proxies(false)
        .timeout(Duration::from_secs(3600))
        .connect_timeout(Duration::from_secs(3600))
        .backoff(Duration::ZERO)
        .without_pauses();
    HOSTS.iter().fold(options, |options, host| options.resolve(*host, server))
}

/// A list of pages.
#[derive(Default)]
pub(crate) struct Pages {
    pub(crate) next: VecDeque<Request>,
    pub(crate) visits: BTreeMap<String, Visit>,
    /// The URLs, in the order in which they were finished.
    pub(crate) order: Vec<String>,
    pub(crate) known: HashMap<String, RobotsFile>,
    pub(crate) stored: Vec<RobotsFile>,
    pub(crate) progress: Vec<RunProgress>,
}

impl Pages {
    pub(crate) fn of<S: Into<String>>(urls: impl IntoIterator<Item = S>) -> Self {
        Self { next: urls.into_iter().map(Request::new).collect(), ..Self::default() }
    }

    /// Gives an origin a known robots.txt that allows everything, so that the run doesn't request it.
    pub(crate) fn allow(mut self, origin: &str) -> Self {
        let (answer, origin) = (RobotsAnswer::Status(404), origin.to_owned());
        let file = RobotsFile::new(origin.clone(), AT, answer, Vec::new());
        self.known.insert(origin, file);
        self
    }

    pub(crate) async fn run(&mut self, options: FetchOptions) -> RunSummary {
        Fetcher::new(options).unwrap().run(AT, self).await
    }

    /// Returns the hours from the start of the run to each visit, ordered by URL.
    pub(crate) fn hours(&self) -> Vec<u64> {
        self.visits.values().map(|visit| visit.at.duration_since(AT).unwrap().as_secs() / 3600).collect()
    }

    /// Returns the outcome of each page, ordered by URL.
    pub(crate) fn said(&self) -> Vec<String> {
        self.visits.values().map(said).collect()
    }
}

impl Work for Pages {
    fn next(&mut self) -> Option<Request> {
        self.next.pop_front()
    }

    fn done(&mut self, visit: Visit) -> ControlFlow<()> {
        self.order.push(visit.url.clone());
        assert!(self.visits.insert(visit.url.clone(), visit).is_none(), "each page is visited once");
        ControlFlow::Continue(())
    }

    fn robots(&mut self, origin: &str) -> Option<RobotsFile> {
        self.known.get(origin).cloned()
    }

    fn store_robots(&mut self, file: &RobotsFile) {
        self.stored.push(file.clone());
    }

    fn progress(&mut self, progress: &RunProgress) {
        self.progress.push(*progress);
    }
}

/// Visits one page without a robots.txt, and returns its outcome.
pub(crate) async fn visit(options: FetchOptions, url: &str) -> String {
    let mut pages = Pages::of([url]).allow("http://a.test").allow("https://a.test").allow("http://b.test");
    pages.run(options).await;
    assert_eq!(pages.stored, [], "no robots.txt was requested");
    said(&pages.visits[url])
}

/// Formats a visit as `URL: redirect > redirect > outcome`.
pub(crate) fn said(visit: &Visit) -> String {
    let mut words = Vec::new();
    for hop in &visit.hops {
        words.push(format!("{} {}", hop.status, hop.location.as_deref().unwrap_or("nowhere")));
    }
    words.push(match &visit.outcome {
        Outcome::Page { facts, .. } => {
            let title = facts.title.as_ref().map(|title| format!(" {title}")).unwrap_or_default();
            format!("{}{title}{}", facts.status, if facts.is_cut { " (cut)" } else { "" })
        }
        Outcome::NotModified(_) => "not modified".to_owned(),
        Outcome::Blocked(blocked) => format!("blocked: {blocked}"),
        Outcome::Failed(failure) => format!("{}: {failure}", failure.kind.as_str()),
        outcome => format!("{outcome:?}"),
    });
    format!("{}: {}", visit.url, words.join(" > "))
}
