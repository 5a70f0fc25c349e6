//! Judges a page's canonicals.

use sitemap_read::{Rule, quoted};

use super::fault::Fault;
use super::url_key::{Key, key};
use crate::facts::{Canonical, PageFacts, Place};
use crate::urls::written_origin;

/// The result of reading a page's canonicals.
#[derive(Debug, Default)]
pub(super) struct Named<'f> {
    /// The page's only canonical, with its key, if it is another URL.
    pub(super) elsewhere: Option<(Key, &'f Canonical)>,
    pub(super) faults: Vec<Fault>,
}

impl<'f> Named<'f> {
    /// Reads the canonicals of the page with this key. Canonicals in the body are ignored. If several canonicals
    /// differ, none applies.
    pub(super) fn of(facts: &'f PageFacts, page: Key) -> Self {
        let mut named = Self::default();
        let mut found: Vec<(Key, &Canonical)> = Vec::new();
        let (body, head): (Vec<_>, Vec<_>) =
            facts.canonicals.iter().partition(|one| one.place == Place::Body);
        for canonical in head {
            match web_url(canonical).map(key) {
                None if named.faults.is_empty() => named.faults.push(invalid(canonical)),
                Some(key) if !found.iter().any(|(known, _)| *known == key) => found.push((key, canonical)),
                _ => {}
            }
        }
        match &*found {
            [] => {}
            [(key, canonical)] => named.elsewhere = (*key != page).then_some((*key, *canonical)),
            [(_, first), (_, second), ..] => {
                let message = format!(
                    "the page names {} different canonicals, {} {} and {} {}",
                    found.len(),
                    quoted(shown(first)),
                    place(first),
                    quoted(shown(second)),
                    place(second)
                );
                named.faults.push(Fault::new(Rule::PageCanonicalSeveral, message));
            }
        }
        let is_stray = |canonical: &&&Canonical| {
            let key = web_url(canonical).map(key);
            key.is_none() || !found.iter().any(|(known, _)| Some(*known) == key)
        };
        if let Some(stray) = body.iter().find(is_stray) {
            let message = format!("the page names the canonical {} in its body", quoted(shown(stray)));
            named.faults.push(Fault::new(Rule::PageCanonicalBody, message));
        }
        named
    }
}

/// Returns the message for a page whose canonical is another URL.
pub(super) fn elsewhere(canonical: &Canonical, page: &str) -> String {
    let url = quoted(shown(canonical));
    let host = written_origin(page).split("://").nth(1).unwrap_or_default();
    // `href="example.com/a"` is a path, although its author meant a host.
    let is_lost = !host.is_empty() && canonical.target.starts_with(host);
    let hint = if is_lost {
        format!(", because {} does not start with `https://`", quoted(&canonical.target))
    } else {
        String::new()
    };
    format!("the page names {url} as its canonical{hint}")
}

fn invalid(canonical: &Canonical) -> Fault {
    let message = if canonical.target.trim().is_empty() {
        "the page names an empty canonical".to_owned()
    } else {
        format!(
            "the page names the canonical {}, which is not an http or https URL",
            quoted(&canonical.target)
        )
    };
    Fault::new(Rule::PageCanonicalInvalid, message)
}

fn web_url(canonical: &Canonical) -> Option<&str> {
    canonical.url.as_deref().filter(|url| url.starts_with("http://") || url.starts_with("https://"))
}

fn shown(canonical: &Canonical) -> &str {
    canonical.url.as_deref().unwrap_or(&canonical.target)
}

fn place(canonical: &Canonical) -> &'static str {
    match canonical.place {
        Place::Header => "in the header `Link`",
        Place::Head => "in its head",
        Place::Body => "in its body",
    }
}
