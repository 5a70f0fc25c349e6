//! Judges how a page responds: robots.txt, redirects, status and content type.

use sitemap_read::{Rule, quoted};

use super::evidence::PageRecord;
use super::fault::{Obstacle, plain};
use super::standing::Standing;
use super::url_key::{key, path};
use crate::content::hash128;
use crate::facts::PageFacts;
use crate::visit::{Blocked, FailureKind, Hop, Outcome, Visit};

/// Returns the facts of a page that responds with content at its own URL, or the obstacle.
pub(super) fn facts(record: &PageRecord) -> Result<&PageFacts, Obstacle> {
    let visit = &record.visit;
    let is_moved = !visit.hops.is_empty() && key(visit.last_url()) != key(&visit.url);
    let lead = if is_moved {
        format!("the page redirects to {}, which", quoted(visit.last_url()))
    } else {
        "the page".to_owned()
    };
    match &visit.outcome {
        Outcome::Blocked(blocked) => return Err(blocked_by(blocked, visit, is_moved)),
        Outcome::Failed(failure) => {
            let why = plain(&failure.message);
            return Err(match failure.kind {
                FailureKind::GivenUp => Obstacle { standing: Standing::Unknown, fault: None },
                FailureKind::NoFile => Obstacle::new(Standing::Missing, Rule::PageMissing, why),
                FailureKind::RedirectLoop | FailureKind::TooManyRedirects => {
                    let message = format!("the redirects lead to no page: {}", chain(visit));
                    Obstacle::new(Standing::Failing, Rule::PageRedirectLoop, message)
                }
                _ => {
                    let message = format!("{lead} cannot be fetched: {why}");
                    Obstacle::new(Standing::Failing, Rule::PageFailing, message)
                }
            });
        }
        Outcome::Page { .. } | Outcome::NotModified(_) => {}
    }
    let facts = record.facts().ok_or(Obstacle { standing: Standing::Unknown, fault: None })?;
    status(facts.status, &lead)?;
    if is_moved {
        return Err(moved(visit, facts));
    }
    content(facts)?;
    Ok(facts)
}

fn blocked_by(blocked: &Blocked, visit: &Visit, is_moved: bool) -> Obstacle {
    match blocked {
        Blocked::Rule { line, pattern } => {
            let lead = if is_moved {
                format!("the page redirects to {}, and ", quoted(visit.last_url()))
            } else {
                String::new()
            };
            let message = format!("{lead}line {line} of robots.txt disallows {}", quoted(pattern));
            Obstacle::new(Standing::Blocked, Rule::PageBlocked, message)
        }
        Blocked::Unreachable { .. } => Obstacle { standing: Standing::Blocked, fault: None },
    }
}

fn status(status: u16, lead: &str) -> Result<(), Obstacle> {
    let (standing, rule) = match status {
        200..=299 => return Ok(()),
        401 | 403 | 407 => (Standing::Login, Rule::PageLogin),
        429 => (Standing::Unknown, Rule::PageThrottled),
        400..=499 => (Standing::Missing, Rule::PageMissing),
        _ => (Standing::Failing, Rule::PageFailing),
    };
    Err(Obstacle::new(standing, rule, format!("{lead} answers with status {status}")))
}

fn moved(visit: &Visit, facts: &PageFacts) -> Obstacle {
    let (first, target) = (&visit.hops[0], quoted(visit.last_url()));
    if asks_for_password(visit, facts) {
        let message = format!("the page redirects to {target}, which asks for a password");
        return Obstacle::new(Standing::Login, Rule::PageLogin, message);
    }
    let status = first.status;
    let (rule, message) = match &*visit.hops {
        [_, _, ..] => {
            (Rule::PageRedirectChain, format!("the page redirects in several steps: {}", chain(visit)))
        }
        _ if first.is_permanent() => {
            (Rule::PageRedirected, format!("the page redirects permanently (status {status}) to {target}"))
        }
        _ => {
            let message = format!("the page redirects temporarily (status {status}) to {target}");
            (Rule::PageRedirectedTemporarily, message)
        }
    };
    Obstacle::new(Standing::Redirected, rule, message)
}

/// Returns whether a redirect goes to a login form. A page that has moved permanently can have a login form in its page
/// header, so only a temporary redirect or a path that suggests a login qualifies.
pub(super) fn asks_for_password(visit: &Visit, facts: &PageFacts) -> bool {
    const NAMES: [&str; 7] = ["login", "log-in", "signin", "sign-in", "sign_in", "auth", "sso"];
    let (from, to) = (path(&visit.url), path(visit.last_url()).to_ascii_lowercase());
    let names_login = NAMES.iter().any(|name| to.contains(name));
    let is_permanent = visit.hops.iter().all(Hop::is_permanent);
    facts.has_password && from != to && (names_login || !is_permanent)
}

/// Returns a visit's redirects for a message, at most five.
pub(super) fn chain(visit: &Visit) -> String {
    const MOST: usize = 5;
    let hop = |hop: &Hop| {
        let target = hop.location.as_deref().map_or("nowhere".to_owned(), quoted);
        format!("{} to {target}", hop.status)
    };
    let mut hops: Vec<_> = visit.hops.iter().take(MOST).map(hop).collect();
    if visit.hops.len() > MOST {
        hops.push(format!("and {} more", visit.hops.len() - MOST));
    }
    hops.join(", ")
}

/// The media types of documents other than HTML that search engines index.
///
/// Source: Google Search Central, "File types indexable by Google".
fn is_document(media_type: &str) -> bool {
    matches!(
        media_type,
        "application/pdf"
            | "application/postscript"
            | "application/rtf"
            | "application/msword"
            | "application/epub+zip"
            | "application/x-hwp"
            | "application/x-tex"
            | "image/svg+xml"
            | "text/csv"
            | "text/plain"
            | "text/rtf"
            | "text/markdown"
    ) || [
        "application/vnd.openxmlformats-",
        "application/vnd.oasis.",
        "application/vnd.ms-",
        "application/vnd.google-earth.",
    ]
    .iter()
    .any(|family| media_type.starts_with(family))
}

fn content(facts: &PageFacts) -> Result<(), Obstacle> {
    let not_a_page = |message: String| Err(Obstacle::new(Standing::NotAPage, Rule::PageNotAPage, message));
    if matches!(facts.status, 204 | 205) {
        return not_a_page(format!("the page has no content (status {})", facts.status));
    }
    if facts.body_digest == hash128(b"") {
        return not_a_page("the page has no content".to_owned());
    }
    match &facts.content_type {
        _ if facts.is_html => Ok(()),
        Some(media_type) if is_document(media_type) => Ok(()),
        Some(media_type) => not_a_page(format!("the URL has the content type {}", quoted(media_type))),
        None => not_a_page("the URL has no content type, and its content is not HTML".to_owned()),
    }
}
