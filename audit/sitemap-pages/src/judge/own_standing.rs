//! Judges a page without the other pages of its set.

use super::canonical::{self, Named};
use super::evidence::PageRecord;
use super::fault::Obstacle;
use super::noindex::Indexing;
use super::standing::Standing;
use super::url_key::key;
use super::{answer, content};
use crate::facts::PageFacts;

/// Whether search engines can index a page, judged without the other pages of its set.
///
/// [`judge`](super::judge()) finds the same, unless the page looks like the response to a nonexistent URL.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::facts::{PageFacts, Response};
/// use sitemap_pages::judge::{OwnStanding, PageRecord, Standing};
/// use sitemap_pages::visit::{Outcome, Validators, Visit};
///
/// let url = "https://example.com/copy";
/// let body = b"<title>Oak</title><link rel=canonical href=/oak>";
/// let facts = Box::new(PageFacts::of(&Response::new(url, 200, &[("content-type", "text/html")], body)));
/// let visit = Visit::new(url.to_owned(), UNIX_EPOCH, Outcome::Page { facts, validators: Validators::default() });
///
/// let record = PageRecord::new(visit);
/// let own = OwnStanding::of(&record);
/// assert_eq!((own.standing, own.canonical), (Standing::Canonicalised, Some("https://example.com/oak")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnStanding<'r> {
    /// Whether the page can be indexed.
    pub standing: Standing,
    /// What prevents it, as in the message of a finding.
    pub reason: Option<String>,
    /// The URL of another page that the page names as its canonical.
    pub canonical: Option<&'r str>,
    /// The URL of another page that replaces this one in browsers, after some seconds.
    pub refresh: Option<&'r str>,
}

impl<'r> OwnStanding<'r> {
    /// Judges a page by its own record.
    pub fn of(record: &'r PageRecord) -> Self {
        let url = &record.visit.url;
        let page = key(url);
        let facts = match facts(record) {
            Ok((facts, _)) => facts,
            Err(Obstacle { standing, fault }) => {
                let reason = fault.map(|fault| fault.message);
                return Self { standing, reason, canonical: None, refresh: None };
            }
        };
        let refresh = content::refresh_target(facts, page);
        let elsewhere = Named::of(facts, page).elsewhere.map(|(_, canonical)| canonical);
        let (standing, reason) = match elsewhere {
            Some(named) => (Standing::Canonicalised, Some(canonical::elsewhere(named, url))),
            None => (Standing::Indexable, None),
        };
        let canonical = elsewhere.and_then(|canonical| canonical.url.as_deref());
        Self { standing, reason, canonical, refresh }
    }
}

/// Returns the facts of a page that responds with content and may be indexed, or the obstacle.
pub(super) fn facts(record: &PageRecord) -> Result<(&PageFacts, Indexing), Obstacle> {
    let facts = answer::facts(record)?;
    let mut indexing = Indexing::of(facts, record.visit.at);
    match indexing.obstacle.take() {
        Some(obstacle) => Err(obstacle),
        None => Ok((facts, indexing)),
    }
}
