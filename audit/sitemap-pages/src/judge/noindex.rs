//! Judges the directives in which a page tells search engines whether to index it.

use std::time::SystemTime;

use sitemap_read::{Rule, quoted};

use super::dates::seconds;
use super::fault::{Fault, Obstacle};
use super::standing::Standing;
use crate::facts::{PageFacts, Place, RobotsDirective, RobotsRule};

/// The robot names that search engines recognise in directives, apart from `robots`. No others are known to have an
/// effect: Google ignores them, and Apple documents only `robots`.
///
/// Sources: Google, "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications"; Bing, "Robots Metatags"; Yandex,
/// "Robots meta tag and X-Robots-Tag HTTP header".
const AGENTS: [&str; 5] = ["googlebot", "googlebot-news", "bingbot", "msnbot", "yandex"];

/// The result of reading a page's directives.
#[derive(Debug, Default)]
pub(super) struct Indexing {
    /// The reason why no search engine may index the page, if there is one.
    pub(super) obstacle: Option<Obstacle>,
    /// A fault that doesn't prevent all search engines from indexing the page.
    pub(super) fault: Option<Fault>,
}

impl Indexing {
    /// Reads the directives. `now` is the time of the visit.
    pub(super) fn of(facts: &PageFacts, now: SystemTime) -> Self {
        let is_clear = |one: &&RobotsDirective| one.is_clear();
        let noindex = || facts.robots.iter().filter(|one| one.rule.is_noindex());
        if let Some(found) = noindex().filter(is_clear).find(|one| one.agent.is_none()) {
            let message = format!("the page has {}", shown(found));
            return Self {
                obstacle: Some(Obstacle::new(Standing::Noindex, Rule::PageNoindex, message)),
                fault: None,
            };
        }
        if let Some(obstacle) = facts.robots.iter().filter(is_clear).find_map(|one| expired(one, now)) {
            return Self { obstacle: Some(obstacle), fault: None };
        }
        let is_known = |one: &&RobotsDirective| {
            one.agent
                .as_deref()
                .is_none_or(|agent| AGENTS.iter().any(|known| known.eq_ignore_ascii_case(agent)))
        };
        let agent = noindex().filter(is_clear).find(is_known).map(|found| {
            let agent = quoted(found.agent.as_deref().unwrap_or_default());
            Fault::new(
                Rule::PageNoindexAgent,
                format!("the page has {} for the crawler {agent}", shown(found)),
            )
        });
        let unclear = || {
            let found = noindex().filter(is_known).find(|one| !is_clear(one))?;
            let message = if found.is_loose {
                format!("the page has {} without a comma before or after it", shown(found))
            } else {
                format!("the page has {} in its body", shown(found))
            };
            Some(Fault::new(Rule::PageNoindexUnclear, message))
        };
        let invalid = || facts.robots.iter().filter(is_clear).filter(is_known).find_map(invalid_expiry);
        Self { obstacle: None, fault: agent.or_else(unclear).or_else(invalid) }
    }
}

/// Describes a directive and where the page states it.
fn shown(directive: &RobotsDirective) -> String {
    let rule = if directive.rule == RobotsRule::None { "none" } else { "noindex" };
    match (directive.place, &directive.agent) {
        (Place::Header, _) => format!("`{rule}` in the header `X-Robots-Tag`"),
        (_, None) => format!("`{rule}` in `<meta name=\"robots\">`"),
        (_, Some(_)) => format!("`{rule}` in a `<meta>`"),
    }
}

fn expired(directive: &RobotsDirective, now: SystemTime) -> Option<Obstacle> {
    let RobotsRule::UnavailableAfter { text, date: Some(date) } = &directive.rule else { return None };
    if directive.agent.is_some() || super::dates::Range::of(date).to >= seconds(now) {
        return None;
    }
    let message = format!("the page was available until {}", quoted(text));
    Some(Obstacle::new(Standing::Noindex, Rule::PageExpired, message))
}

/// Reports a date that search engines can't parse.
fn invalid_expiry(directive: &RobotsDirective) -> Option<Fault> {
    let RobotsRule::UnavailableAfter { text, date: None } = &directive.rule else { return None };
    let message = format!("`unavailable_after` of the page has {}, which is not a date", quoted(text));
    Some(Fault::new(Rule::PageExpiryInvalid, message))
}
