//! Problems with the move of a URL.

use sitemap_read::{Rule, quoted};

use super::answer::{asks_for_password, chain};
use super::canonical::{self, Named};
use super::evidence::PageRecord;
use super::fault::{Fault, plain};
use super::new_set::{NewSet, is_home};
use super::noindex::Indexing;
use super::url_key::key;
use crate::content::HashedMap;
use crate::facts::PageFacts;
use crate::visit::{Blocked, Failure, FailureKind, Hop, Outcome, Visit};

/// The minimum number of old URLs that must redirect to the same home page for this to look like a mistake.
const MANY: u64 = 5;

/// The home pages that old URLs redirect to, each with the number of those old URLs. Old URLs that are home pages
/// themselves aren't counted.
#[derive(Debug, Default)]
pub(super) struct Homes(HashedMap<u64>);

impl Homes {
    pub(super) fn add(&mut self, visit: &Visit) {
        if let Some(home) = target(visit).filter(|target| is_home(target) && !is_home(&visit.url)) {
            *self.0.entry(key(home)).or_default() += 1;
        }
    }

    /// Returns how many old URLs redirect to this home page, if there are many.
    fn many(&self, visit: &Visit, target: &str) -> Option<u64> {
        let count = self.0.get(&key(target)).copied().filter(|_| !is_home(&visit.url));
        count.filter(|count| *count >= MANY)
    }
}

/// Returns the URL that a visit was redirected to, if it differs from the requested one.
pub(super) fn target(visit: &Visit) -> Option<&str> {
    let last = visit.last_url();
    (!visit.hops.is_empty() && key(last) != key(&visit.url)).then_some(last)
}

/// Returns the URL that a page refreshes to, if it differs from the page's own, and the delay in seconds.
pub(super) fn refresh<'f>(facts: &'f PageFacts, page: &str) -> Option<(&'f str, u32)> {
    let refresh = facts.refresh.as_ref()?;
    let url = refresh.url.as_deref().filter(|url| key(url) != key(page))?;
    Some((url, refresh.seconds))
}

/// Returns what is wrong with the move of a URL, or `None` if nothing is.
pub(super) fn of(record: &PageRecord, new: &NewSet, homes: &Homes) -> Option<Fault> {
    let visit = &record.visit;
    match &visit.outcome {
        Outcome::Blocked(blocked) => Some(blocked_by(blocked, visit)),
        Outcome::Failed(failure) => Some(failed(failure, visit)),
        Outcome::Page { .. } | Outcome::NotModified(_) => {
            let facts = record.facts()?;
            match target(visit) {
                Some(target) => leads(visit, facts, target, new, homes),
                None => stays(visit, facts, new),
            }
        }
    }
}

fn blocked_by(blocked: &Blocked, visit: &Visit) -> Fault {
    let why = match blocked {
        Blocked::Rule { line, pattern } => format!("line {line} of robots.txt disallows {}", quoted(pattern)),
        Blocked::Unreachable { why } => format!("robots.txt cannot be fetched: {}", plain(why)),
    };
    let message = match target(visit) {
        Some(target) => format!("the old URL redirects to {}, but there {why}", quoted(target)),
        None => format!("the old URL cannot be followed, because {why}"),
    };
    Fault::new(Rule::MoveBlocked, message)
}

fn failed(failure: &Failure, visit: &Visit) -> Fault {
    let why = plain(&failure.message);
    match (failure.kind, target(visit)) {
        (FailureKind::RedirectLoop | FailureKind::TooManyRedirects | FailureKind::InvalidRedirect, _) => {
            Fault::new(Rule::MoveLoop, format!("the redirects lead to no page: {}", chain(visit)))
        }
        (_, Some(target)) => {
            let message =
                format!("the old URL redirects to {}, which cannot be fetched: {why}", quoted(target));
            Fault::new(Rule::MoveTargetBroken, message)
        }
        (_, None) => Fault::new(Rule::MoveFailing, format!("the old URL cannot be fetched: {why}")),
    }
}

/// Judges an old URL that responds without a redirect.
fn stays(visit: &Visit, facts: &PageFacts, new: &NewSet) -> Option<Fault> {
    let status = facts.status;
    match status {
        200..=299 => {}
        410 => return Some(Fault::new(Rule::MoveGone, "the old URL answers with status 410")),
        429 | 500.. => {
            let message = format!("the old URL answers with status {status}");
            return Some(Fault::new(Rule::MoveFailing, message));
        }
        _ => {
            let message = format!("the old URL answers with status {status} and does not redirect");
            return Some(Fault::new(Rule::MoveMissing, message));
        }
    }
    if new.contains(&visit.url) {
        let why = obstacle(visit, facts, &visit.url)?;
        let message = format!("the new set lists the old URL, which {why}");
        return Some(Fault::new(Rule::MoveTargetBroken, message));
    }
    if let Some((url, seconds)) = refresh(facts, &visit.url) {
        let message =
            format!("the old URL does not redirect, but refreshes to {} after {seconds} s", quoted(url));
        return Some(Fault::new(Rule::MoveTemporary, message));
    }
    let message = format!("the old URL answers with status {status} and does not redirect");
    Some(Fault::new(Rule::MoveNotRedirected, message))
}

/// Judges an old URL that redirects. If the target page itself has a problem, problems with the redirects are not
/// reported.
fn leads(visit: &Visit, facts: &PageFacts, target: &str, new: &NewSet, homes: &Homes) -> Option<Fault> {
    let lead = format!("the old URL redirects to {}", quoted(target));
    if let Some(why) = obstacle(visit, facts, target) {
        return Some(Fault::new(Rule::MoveTargetBroken, format!("{lead}, which {why}")));
    }
    if let Some(count) = homes.many(visit, target) {
        let message = format!("{lead}, the home page, as {} other old URLs do", count - 1);
        return Some(Fault::new(Rule::MoveToHome, message));
    }
    if !new.contains(target) {
        return Some(Fault::new(Rule::MoveNotListed, format!("{lead}, which the new set does not list")));
    }
    if visit.hops.len() > 1 {
        let message = format!("the old URL redirects in several steps: {}", chain(visit));
        return Some(Fault::new(Rule::MoveChain, message));
    }
    if let Some((url, seconds)) = refresh(facts, target) {
        let message = format!("{lead}, which refreshes to {} after {seconds} s", quoted(url));
        return Some(Fault::new(Rule::MoveChain, message));
    }
    let hop = visit.hops.iter().find(|hop| !Hop::is_permanent(hop))?;
    let message = format!("the old URL redirects temporarily (status {}) to {}", hop.status, quoted(target));
    Some(Fault::new(Rule::MoveTemporary, message))
}

/// Returns why the target page can't be indexed, worded as the end of a sentence.
fn obstacle(visit: &Visit, facts: &PageFacts, page: &str) -> Option<String> {
    if !(200..=299).contains(&facts.status) {
        return Some(format!("answers with status {}", facts.status));
    }
    if asks_for_password(visit, facts) {
        return Some("asks for a password".to_owned());
    }
    let indexing = Indexing::of(facts, visit.at);
    let message = match indexing.obstacle.and_then(|obstacle| obstacle.fault) {
        Some(fault) => fault.message,
        None => canonical::elsewhere(Named::of(facts, key(page)).elsewhere?.1, page),
    };
    Some(message.strip_prefix("the page ").unwrap_or(&message).to_owned())
}
