//! Judges what a page shows: whether it refreshes to another URL, and whether it is empty without JavaScript.

use sitemap_read::{Rule, quoted};

use super::fault::Fault;
use super::url_key::{Key, key};
use crate::facts::PageFacts;

/// Judges the refresh of the page with this key. It's fine for a page to reload itself.
pub(super) fn refresh(facts: &PageFacts, page: Key) -> Option<Fault> {
    let refresh = facts.refresh.as_ref()?;
    let target = refresh.url.as_deref().filter(|target| key(target) != page)?;
    let message = format!("the page refreshes to {} after {} s", quoted(target), refresh.seconds);
    Some(Fault::new(Rule::PageRefresh, message))
}

/// Judges whether the page has content without JavaScript.
pub(super) fn emptiness(facts: &PageFacts) -> Option<Fault> {
    let rule = Rule::PageEmptyWithoutJavaScript;
    facts.is_empty_without_javascript.then(|| Fault::new(rule, "the page looks empty without JavaScript"))
}
