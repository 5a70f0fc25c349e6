//! The robots.txt of a host: what a crawler asks for first.

use sitemap_pages::fetch::DownloadError;
use sitemap_pages::robots::{Access, RobotsAnswer};
use sitemap_pages::visit::FailureKind;
use url::Url;

use super::connection;
use super::failure::step_of;
use super::log::{Log, Step};
use crate::error::{Outcome, Stop};
use crate::source::Source;

/// Checks that a crawler may fetch a URL. Returns `false` if the way ends here. `is_first` prints the steps to the
/// connection also if they succeed.
pub(super) fn check(
    source: &Source,
    url: &Url,
    crawler: &str,
    is_first: bool,
    log: &mut Log,
) -> Outcome<bool> {
    let robots = url.join("/robots.txt").map_err(|error| Stop::new(format!("`{url}`: {error}")))?;
    let asked = source.ask(&robots).map_err(Stop::new)?;
    let outcome = &asked.downloaded.outcome;
    let explained = outcome.as_ref().err().map(|error| source.explain(error)).unwrap_or_default();
    let failure = match outcome {
        // A redirect of robots.txt that leads nowhere is no failure of this host.
        Err(DownloadError::Failed(failure)) if asked.downloaded.hops.is_empty() => Some(failure),
        _ => None,
    };
    if is_first && !connection::check(url, failure, &explained, log)? {
        return Ok(false);
    }
    let answer = match outcome {
        Ok(response) => RobotsAnswer::Status(response.status),
        // Only the first part of a file counts.
        Err(DownloadError::TooLong { .. }) => {
            log.fail(Step::Robots, &format!("`{robots}` has {explained}"))?;
            return Ok(false);
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
            return Ok(false);
        }
    };
    let body = std::fs::read(asked.path()).unwrap_or_default();
    let access = Access::new(answer, &body);
    let verdict = access.agent(crawler).verdict(url.as_str());
    if verdict.is_allowed() {
        log.ok(Step::Robots, &format!("`{crawler}` is {verdict}"))?;
    } else {
        let remedy = match &access {
            Access::Rules(_) => "allow the sitemap there",
            _ => "let the server answer it, or answer 404 if there are no rules",
        };
        log.fail(Step::Robots, &format!("`{crawler}` is {verdict}; {remedy}"))?;
    }
    Ok(verdict.is_allowed())
}
