//! The jobs of a run: the URL to request next, and how each response continues the job.

use std::time::Duration;

use sitemap_pages::facts::{HeaderFacts, PageFacts};
use sitemap_pages::visit::{Failure, FailureKind, HeaderUpdate, Hop, Outcome, Validators};
use url::Url;

use crate::exchange::{Reply, Wanted, is_transient};
use crate::redirect::is_redirect;
use crate::request::{Condition, Request};
use crate::url_parts::{origin, server};

/// A visit to a page or a request for a robots.txt, including all redirects and retries.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) task: Task,
    /// The first URL.
    pub(crate) first: Url,
    /// The URL that the caller asked for. Only its origin gets the extra headers, because they may contain credentials.
    pub(crate) listed: Url,
    /// The URL to request next.
    pub(crate) url: Url,
    pub(crate) hops: Vec<Hop>,
    pub(crate) retries: u32,
    /// When the last request started, relative to the start of the run.
    pub(crate) began: Option<Duration>,
}

/// The purpose of a job.
#[derive(Debug)]
pub(crate) enum Task {
    Page(Request),
    /// Fetches an origin's robots.txt.
    Robots(String),
}

impl Job {
    /// Returns the job for a request. If its URL can't be requested, returns the URL and the reason.
    pub(crate) fn of_page(request: Request) -> Result<Self, (String, Failure)> {
        let mut url = match Url::parse(&request.url) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => url,
            _ => {
                let why = format!("{:?} is not an http or https URL", request.url);
                return Err((request.url, Failure::new(FailureKind::InvalidUrl, why)));
            }
        };
        url.set_fragment(None);
        let (first, listed) = (url.clone(), url.clone());
        let (hops, retries, began) = (Vec::new(), 0, None);
        Ok(Self { task: Task::Page(request), first, listed, url, hops, retries, began })
    }

    /// Returns the job that fetches the robots.txt needed for another job's next request.
    pub(crate) fn of_robots(page: &Self) -> Self {
        let url = &page.url;
        let mut robots = url.clone();
        robots.set_path("/robots.txt");
        robots.set_query(None);
        Self {
            task: Task::Robots(origin(url)),
            first: robots.clone(),
            listed: page.listed.clone(),
            url: robots,
            hops: Vec::new(),
            retries: 0,
            began: None,
        }
    }

    pub(crate) fn wanted(&self) -> Wanted {
        match self.task {
            Task::Page(_) => Wanted::Page,
            Task::Robots(_) => Wanted::RobotsTxt,
        }
    }

    /// Returns the condition to send with the request for the next URL.
    pub(crate) fn condition(&self) -> Option<&Condition> {
        let Task::Page(request) = &self.task else { return None };
        request.condition.as_ref().filter(|condition| condition.url == self.url.as_str())
    }

    /// Interprets the response to the next URL.
    pub(crate) fn answer(&self, reply: Reply) -> Answer {
        let (status, retry_after) = (reply.status, reply.retry_after());
        let content = match (&self.task, status) {
            (_, status) if is_redirect(status) => {
                Content::Redirect { location: reply.header("location").map(str::to_owned) }
            }
            (Task::Robots(_), _) => Content::RobotsTxt(reply.body),
            (Task::Page(request), 304) => self.not_modified(&request.url, &reply),
            (Task::Page(request), _) => Content::Page(page(&request.url, &self.url, &reply)),
        };
        Answer { status, retry_after, content }
    }

    fn not_modified(&self, requested: &str, reply: &Reply) -> Content {
        let Some(condition) = self.condition() else {
            let why = format!("`{}` answered 304 to a request without a condition", server(&self.url));
            return Content::Page(Outcome::Failed(Failure::new(FailureKind::Protocol, why)));
        };
        let headers = reply.as_page(requested, &self.url, HeaderFacts::of);
        let validators = reply.validators();
        if condition.is_met(&headers, &validators) {
            Content::Page(Outcome::NotModified(Box::new(HeaderUpdate::new(headers, validators))))
        } else {
            Content::NotEnough
        }
    }

    /// Makes the next request unconditional.
    pub(crate) fn without_condition(mut self) -> Self {
        if let Task::Page(request) = &mut self.task {
            request.condition = None;
        }
        self
    }
}

/// The answer to one request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) content: Content,
}

/// What an answer contains.
#[derive(Debug)]
pub(crate) enum Content {
    Redirect {
        location: Option<String>,
    },
    RobotsTxt(Vec<u8>),
    Page(Outcome),
    /// A 304 that leaves open what the page states now.
    NotEnough,
}

impl Answer {
    /// Returns `true` if the same request may succeed later.
    pub(crate) fn is_transient(&self) -> bool {
        is_transient(self.status)
    }
}

/// Reads a page's facts.
fn page(requested: &str, url: &Url, reply: &Reply) -> Outcome {
    let facts = reply.as_page(requested, url, PageFacts::of);
    // Later, only a page with status 200 can be "not modified".
    let validators = if reply.status == 200 { reply.validators() } else { Validators::default() };
    Outcome::Page { facts: Box::new(facts), validators }
}
