//! The facts in the headers of a response without a body, and how they update what is known about the page.

use super::PageFacts;
use super::named_pages::{Canonical, Translation};
use super::page_date::{PageDate, PageDateKind};
use super::place::Place;
use super::reader::Reader;
use super::refresh::Refresh;
use super::response::Response;
use super::robots::RobotsDirective;

/// The facts about a page in the headers of a 304 response, which has no body.
///
/// A 304 updates the headers of the earlier response. A header in the 304 replaces the earlier one. A header missing
/// from the 304 keeps its earlier value, because many servers and caches omit most headers from a 304. So `None` means
/// that nothing is known, and an empty list means that the header is present but contains no such statement.
///
/// Sources: RFC 9111, sections 3.2 and 4.3.4; RFC 9110, section 15.4.5.
///
/// ```
/// use sitemap_pages::facts::{HeaderFacts, PageFacts, Response};
///
/// let url = "https://example.com/oak";
/// let body = b"<title>Oak</title><link rel=canonical href=/wood/oak>";
/// let response = Response::new(url, 200, &[], body);
/// let mut facts = PageFacts::of(&response);
///
/// let headers = &[("X-Robots-Tag", "noindex")];
/// let later = HeaderFacts::of(&Response::new(url, 304, headers, b""));
/// later.update(&mut facts);
/// assert!(facts.robots[0].rule.is_noindex());
/// assert_eq!(facts.canonicals.len(), 1, "the 304 says nothing about it");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct HeaderFacts {
    /// The robots directives, if there is an `X-Robots-Tag` header.
    pub robots: Option<Vec<RobotsDirective>>,
    /// The canonicals, if there is a `Link` header.
    pub canonicals: Option<Vec<Canonical>>,
    /// The translations, if there is a `Link` header.
    pub translations: Option<Vec<Translation>>,
    /// The `Refresh` header, if it is valid.
    pub refresh: Option<Refresh>,
    /// The header `Last-Modified`.
    pub last_modified: Option<PageDate>,
    /// The number of statements omitted because of the limit of 1,000 per kind.
    pub omitted: usize,
}

impl HeaderFacts {
    /// Reads the headers of a response. See the [example](Self).
    pub fn of(response: &Response<'_>) -> Self {
        let mut reader = Reader::new(0);
        reader.headers(response);
        reader.shorten();
        let has = |name| response.first(name).is_some();
        Self {
            robots: has("x-robots-tag").then_some(reader.robots),
            canonicals: has("link").then_some(reader.canonicals),
            translations: has("link").then_some(reader.translations),
            refresh: reader.refresh,
            last_modified: reader.dates.pop(),
            omitted: reader.omitted,
        }
    }

    /// Updates a page's facts with these headers, which replace earlier ones. See the [example](Self).
    pub fn update(&self, facts: &mut PageFacts) {
        replace(&mut facts.robots, self.robots.as_ref(), |one| one.place);
        replace(&mut facts.canonicals, self.canonicals.as_ref(), |one| one.place);
        replace(&mut facts.translations, self.translations.as_ref(), |one| one.place);
        if let Some(refresh) = &self.refresh {
            facts.refresh = Some(refresh.clone());
        }
        if let Some(date) = &self.last_modified {
            facts.dates.retain(|known| known.kind != PageDateKind::LastModified);
            facts.dates.insert(0, date.clone());
        }
        facts.omitted = facts.omitted.max(self.omitted);
    }
}

/// Replaces the statements that came from headers. They are at the start of the list.
fn replace<T: Clone>(known: &mut Vec<T>, new: Option<&Vec<T>>, place: impl Fn(&T) -> Place) {
    if let Some(new) = new {
        known.retain(|one| place(one) != Place::Header);
        known.splice(..0, new.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://example.com/oak";

    fn facts(headers: &[(&str, &str)], body: &[u8]) -> PageFacts {
        PageFacts::of(&Response { requested: URL, url: URL, status: 200, headers, body, is_cut: false })
    }

    fn later(headers: &[(&str, &str)]) -> HeaderFacts {
        HeaderFacts::of(&Response {
            requested: URL,
            url: URL,
            status: 304,
            headers,
            body: b"",
            is_cut: false,
        })
    }

    const HTML: (&str, &str) = ("Content-Type", "text/html");
    const BODY: &[u8] = b"<meta name=robots content=nofollow><link rel=canonical href=/a>\
                          <link rel=alternate hreflang=de href=/de><time datetime=2026-11-20>";

    #[test]
    fn headers_that_are_there_replace_those_before_and_leave_the_html() {
        let all = [
            ("X-Robots-Tag", "noindex"),
            ("X-Robots-Tag", "bot: noarchive"),
            ("Link", "</b>; rel=canonical, </fr>; rel=alternate; hreflang=fr"),
            ("Refresh", "0; url=/c"),
            ("Last-Modified", "Sun, 22 Nov 2026 10:00:00 GMT"),
        ];
        let expected = facts(&[&[HTML], &all[..]].concat(), BODY);
        let old = [
            HTML,
            ("X-Robots-Tag", "noarchive"),
            ("Link", "</old>; rel=canonical, </it>; rel=alternate; hreflang=it"),
            ("Last-Modified", "Sat, 21 Nov 2026 10:00:00 GMT"),
        ];
        for before in [&[HTML][..], &old] {
            let mut known = facts(before, BODY);
            later(&all).update(&mut known);
            assert_eq!(known, expected, "{before:?}");
        }
    }

    #[test]
    fn headers_that_are_missing_stay_and_empty_ones_remove() {
        let before =
            [HTML, ("X-Robots-Tag", "noindex"), ("Link", "</b>; rel=canonical"), ("Refresh", "5; url=/c")];
        let mut known = facts(&before, BODY);
        let expected = known.clone();
        later(&[("ETag", "\"a1\"")]).update(&mut known);
        assert_eq!(known, expected);

        later(&[("X-Robots-Tag", ""), ("Link", "</style.css>; rel=preload")]).update(&mut known);
        assert_eq!((known.robots.len(), known.robots[0].place), (1, Place::Head));
        assert_eq!((known.canonicals.len(), &*known.canonicals[0].target), (1, "/a"));
        assert_eq!(known.refresh, expected.refresh);
    }

    #[test]
    fn statements_past_the_limit_are_counted() {
        let links = "</b>; rel=canonical, ".repeat(1_002);
        let found = later(&[("Link", &links)]);
        assert_eq!((found.canonicals.as_ref().unwrap().len(), found.omitted), (1_000, 2));
        let mut known = facts(&[HTML], BODY);
        found.update(&mut known);
        found.update(&mut known);
        assert_eq!((known.canonicals.len(), known.omitted), (1_001, 2));
    }
}
