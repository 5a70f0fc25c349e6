//! The robots.txt of a host, which a crawler requests first.

use std::collections::HashMap;

use sitemap_fetch::DownloadError;
use sitemap_pages::robots::{Access, RobotsAnswer};
use sitemap_pages::visit::FailureKind;
use url::Url;

use super::connection;
use super::failure::step_of;
use super::log::{Log, Step};
use crate::error::{Outcome, Stop};
use crate::source::Source;

/// The robots.txt files of all hosts that the redirects go through.
pub(super) struct Robots<'a> {
    source: &'a Source,
    crawler: &'a str,
    /// The rules of each host. Every host has its own robots.txt, which is requested once.
    known: HashMap<String, Access>,
}

impl<'a> Robots<'a> {
    pub(super) fn new(source: &'a Source, crawler: &'a str) -> Self {
        Self { source, crawler, known: HashMap::new() }
    }

    /// Checks that the crawler may fetch a URL. Returns `false` if it can't continue. For the first host, also prints
    /// the connection steps if they succeed.
    pub(super) fn check(&mut self, url: &Url, log: &mut Log) -> Outcome<bool> {
        let origin = url.origin().ascii_serialization();
        let is_known = self.known.contains_key(&origin);
        if !is_known {
            let Some(access) = request(self.source, url, self.known.is_empty(), log)? else {
                return Ok(false);
            };
            self.known.insert(origin.clone(), access);
        }
        let Some(access) = self.known.get(&origin) else { return Ok(false) };
        let verdict = access.agent(self.crawler).verdict(url.as_str());
        let crawler = self.crawler;
        if !verdict.is_allowed() {
            let remedy = match access {
                Access::Rules(_) => "allow the sitemap there",
                _ => "let the server answer it, or answer 404 if there are no rules",
            };
            // The sitemap redirects to another URL, so the message must name that URL.
            let place = if is_known { format!(" at `{url}`") } else { String::new() };
            log.fail(Step::Robots, &format!("`{crawler}`{place} is {verdict}; {remedy}"))?;
        } else if !is_known {
            log.ok(Step::Robots, &format!("`{crawler}` is {verdict}"))?;
        }
        Ok(verdict.is_allowed())
    }
}

/// Requests a host's robots.txt. Returns `None` if the crawler can't continue.
fn request(source: &Source, url: &Url, is_first: bool, log: &mut Log) -> Outcome<Option<Access>> {
    let robots = url.join("/robots.txt").map_err(|error| Stop::new(format!("`{url}`: {error}")))?;
    let asked = source.ask(&robots).map_err(Stop::new)?;
    let outcome = &asked.downloaded.outcome;
    let explained = outcome.as_ref().err().map(|error| source.explain(error)).unwrap_or_default();
    let failure = match outcome {
        // A redirect of robots.txt to a broken URL is not a failure of this host.
        Err(DownloadError::Failed(failure)) if asked.downloaded.hops.is_empty() => Some(failure),
        _ => None,
    };
    if is_first && !connection::check(url, failure, &explained, log)? {
        return Ok(None);
    }
    let answer = match outcome {
        Ok(response) => RobotsAnswer::Status(response.status),
        // Crawlers only read the first part of such a file, so a verdict on the whole file would not be theirs.
        Err(DownloadError::TooLong { .. }) => {
            log.fail(Step::Robots, &format!("`{robots}` has {explained}"))?;
            return Ok(None);
        }
        Err(DownloadError::Failed(failure))
            if matches!(failure.kind, FailureKind::TooManyRedirects | FailureKind::RedirectLoop) =>
        {
            RobotsAnswer::TooManyRedirects
        }
        Err(error) => {
            let step = step_of(error);
            let at = if step == Step::Response { String::new() } else { format!(" ({step})") };
            let why = format!("crawlers request nothing, because `{robots}` has no answer{at}: {explained}");
            log.fail(Step::Robots, &why)?;
            return Ok(None);
        }
    };
    let body = std::fs::read(asked.path()).unwrap_or_default();
    Ok(Some(Access::new(answer, &body)))
}
