//! The pages to visit.

use sitemap_pages::facts::{HeaderFacts, PageFacts, Place};
use sitemap_pages::visit::{Outcome, Validators, Visit};

/// A page to visit.
///
/// ```
/// use sitemap_fetch::Request;
///
/// let request = Request::new("https://example.com/oak");
/// assert!(!request.is_conditional());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub(crate) url: String,
    pub(crate) condition: Option<Condition>,
}

/// The condition for a request to one URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) url: String,
    pub(crate) validators: Validators,
    /// The kinds of statements in the headers that were sent along with the validators.
    pub(crate) stated: HeaderStatements,
}

impl Condition {
    /// Returns `true` if a 304 is enough to know what the page states now.
    ///
    /// A server may omit headers from a 304, so a missing header may or may not be gone from the page. A 304 with a
    /// different entity tag describes another representation than the one we know.
    ///
    /// Sources: RFC 9111, section 4.3.4; RFC 9110, section 15.4.5.
    pub(crate) fn is_met(&self, headers: &HeaderFacts, validators: &Validators) -> bool {
        // A server that compresses responses may weaken the tag of a 200 but not that of a 304.
        let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        let is_same = match (&self.validators.etag, &validators.etag) {
            (Some(known), Some(found)) => opaque(known) == opaque(found),
            _ => true,
        };
        is_same && self.stated.are_in(headers)
    }
}

impl Request {
    /// Creates a request for a URL.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), condition: None }
    }

    /// Makes the request conditional: if the validators still match, the outcome is [`Outcome::NotModified`].
    ///
    /// `url` is the URL that sent the validators, after all redirects. They are sent only to this URL, because they
    /// mean nothing to any other.
    ///
    /// Source: RFC 9110, section 13.
    ///
    /// ```
    /// use sitemap_fetch::Request;
    /// use sitemap_pages::visit::Validators;
    ///
    /// let validators = Validators::new(Some("\"a1\"".to_owned()), None);
    /// let request = Request::new("https://example.com/oak").unless(validators, "https://example.com/oak/");
    /// assert!(request.is_conditional());
    /// ```
    #[must_use]
    pub fn unless(mut self, validators: Validators, url: impl Into<String>) -> Self {
        let stated = HeaderStatements::default();
        self.condition = (!validators.is_empty()).then(|| Condition { url: url.into(), validators, stated });
        self
    }

    /// Makes the request conditional, with the URL and the header statements of these facts.
    pub(crate) fn unless_as(self, validators: &Validators, facts: &PageFacts) -> Self {
        let mut request = self.unless(validators.clone(), &facts.url);
        if let Some(condition) = &mut request.condition {
            condition.stated = HeaderStatements::of_page(facts);
        }
        request
    }

    /// Creates a request that repeats an earlier visit, but fetches the page only if it has changed since.
    ///
    /// If the earlier visit has no validators, the request is unconditional. If the server responds with a 304 that
    /// lacks a header that mattered before, such as `X-Robots-Tag`, the page is requested once more without the
    /// condition, because servers may omit such headers from a 304.
    ///
    /// ```
    /// use std::time::SystemTime;
    /// use sitemap_pages::facts::{PageFacts, Response};
    /// use sitemap_fetch::Request;
    /// use sitemap_pages::visit::{Outcome, Validators, Visit};
    ///
    /// let response = Response::new("https://example.com/oak", 200, &[], b"<p>An oak");
    /// let visit = Visit::new("https://example.com/oak".to_owned(), SystemTime::UNIX_EPOCH, Outcome::Page {         facts: Box::new(PageFacts::of(&response)),         validators: Validators::new(Some("\"a1\"".to_owned()), None),     });
    /// assert!(Request::again(&visit).is_conditional());
    /// ```
    pub fn again(visit: &Visit) -> Self {
        let request = Self::new(&visit.url);
        match &visit.outcome {
            Outcome::Page { facts, validators } => request.unless_as(validators, facts),
            _ => request,
        }
    }

    /// Returns the URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns `true` if the page is fetched only if it has changed.
    pub fn is_conditional(&self) -> bool {
        self.condition.is_some()
    }
}

/// The kinds of statements in the response headers: robots directives, canonicals, translations, a refresh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeaderStatements([bool; 4]);

impl HeaderStatements {
    /// Returns the kinds of statements that a page's headers made.
    pub(crate) fn of_page(facts: &PageFacts) -> Self {
        Self([
            facts.robots.iter().any(|one| one.place == Place::Header),
            facts.canonicals.iter().any(|one| one.place == Place::Header),
            facts.translations.iter().any(|one| one.place == Place::Header),
            facts.refresh.iter().any(|one| one.place == Place::Header),
        ])
    }

    /// Returns `true` if `headers` contain all of these kinds of statements too.
    pub(crate) fn are_in(self, headers: &HeaderFacts) -> bool {
        fn has<T>(list: Option<&Vec<T>>) -> bool {
            list.is_some_and(|list| !list.is_empty())
        }
        let found = [
            has(headers.robots.as_ref()),
            has(headers.canonicals.as_ref()),
            has(headers.translations.as_ref()),
            headers.refresh.is_some(),
        ];
        self.0.iter().zip(found).all(|(&was, is)| is || !was)
    }
}

#[cfg(test)]
mod tests {
    use sitemap_pages::facts::Response;

    use super::*;

    const URL: &str = "https://example.com/oak";

    const BODY: &[u8] = b"<meta name=robots content=nofollow><link rel=canonical href=/a>\
                          <link rel=alternate hreflang=de href=/de>";

    fn facts(headers: &[(&str, &str)]) -> PageFacts {
        PageFacts::of(&Response::new(URL, 200, headers, BODY))
    }

    fn later(headers: &[(&str, &str)]) -> HeaderFacts {
        HeaderFacts::of(&Response::new(URL, 304, headers, b""))
    }

    const HTML: (&str, &str) = ("Content-Type", "text/html");

    #[test]
    fn what_headers_stated_is_looked_for_kind_by_kind() {
        let before = [HTML, ("X-Robots-Tag", "noindex"), ("Link", "</b>; rel=canonical")];
        let known = HeaderStatements::of_page(&facts(&before));
        for (headers, expected) in [
            (&[("X-Robots-Tag", "noarchive"), ("Link", "</x>; rel=canonical")][..], true),
            (&[("X-Robots-Tag", "noindex"), ("Link", "</x>; rel=preload")], false),
            (&[("X-Robots-Tag", ""), ("Link", "</x>; rel=canonical")], false),
            (&[("Link", "</x>; rel=canonical")], false),
            (&[], false),
        ] {
            assert_eq!(known.are_in(&later(headers)), expected, "{headers:?}");
        }
        assert!(HeaderStatements::of_page(&facts(&[HTML])).are_in(&later(&[])), "the HTML is unchanged");
        let old = [HTML, ("Refresh", "5")];
        assert!(!HeaderStatements::of_page(&facts(&old)).are_in(&later(&[])));
    }
}
