//! Judges what a page shows: whether it refreshes to another URL, and whether it is empty without JavaScript.

use sitemap_read::{Rule, quoted};

use super::fault::Fault;
use super::url_key::{Key, key};
use crate::facts::PageFacts;

/// Judges the refresh of the page with this key. It's fine for a page to reload itself.
pub(super) fn refresh(facts: &PageFacts, page: Key) -> Option<Fault> {
    let target = refresh_target(facts, page)?;
    let seconds = facts.refresh.as_ref()?.seconds;
    let message = format!("the page refreshes to {} after {seconds} s", quoted(target));
    Some(Fault::new(Rule::PageRefresh, message))
}

/// Returns the URL that the page with this key refreshes to, if it is another page.
pub(super) fn refresh_target(facts: &PageFacts, page: Key) -> Option<&str> {
    facts.refresh.as_ref()?.url.as_deref().filter(|target| key(target) != page)
}

/// Judges whether the page has content without JavaScript.
pub(super) fn emptiness(facts: &PageFacts) -> Option<Fault> {
    let rule = Rule::PageEmptyWithoutJavaScript;
    facts.is_empty_without_javascript.then(|| Fault::new(rule, "the page looks empty without JavaScript"))
}
