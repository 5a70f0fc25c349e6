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

/// What makes the request of one URL conditional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) url: String,
    pub(crate) validators: Validators,
    /// What the headers stated that came with the validators.
    pub(crate) stated: HeaderStatements,
}

impl Condition {
    /// Returns `true` if a 304 is enough to know what the page states now.
    ///
    /// A server may leave headers out of a 304, so a header that stated something and is missing may be gone or not. A
    /// 304 with the entity tag of another representation says nothing about the known one.
    ///
    /// Sources: RFC 9111, section 4.3.4; RFC 9110, section 15.4.5.
    pub(crate) fn is_met(&self, headers: &HeaderFacts, validators: &Validators) -> bool {
        // A server that compresses answers may make the tag of a 200 weak, and not that of a 304.
        let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        let is_same = match (&self.validators.etag, &validators.etag) {
            (Some(known), Some(found)) => opaque(known) == opaque(found),
            _ => true,
        };
        is_same && self.stated.are_in(headers)
    }
}

impl Request {
    /// Returns a request for a URL.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), condition: None }
    }

    /// Makes the request conditional: if the page still has these validators, the outcome is
    /// [`Outcome::NotModified`].
    ///
    /// `url` is the URL that sent the validators, after all redirects. They are sent only there, because they mean
    /// nothing to another URL.
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

    /// Makes the request conditional on the page that had these facts.
    pub(crate) fn unless_as(self, validators: &Validators, facts: &PageFacts) -> Self {
        let mut request = self.unless(validators.clone(), &facts.url);
        if let Some(condition) = &mut request.condition {
            condition.stated = HeaderStatements::of_page(facts);
        }
        request
    }

    /// Returns a request that repeats an earlier visit, on the condition that the page has changed since.
    ///
    /// If the earlier visit has no validators, the request is unconditional. If the server answers 304 without a header
    /// that stated something before, such as `X-Robots-Tag`, the page is requested once more without the condition,
    /// because servers may leave such headers out of a 304.
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

    /// Returns `true` if the page is only wanted if it has changed.
    pub fn is_conditional(&self) -> bool {
        self.condition.is_some()
    }
}

/// The kinds of statements that the headers of a response make: directives for robots, canonicals, translations, and a
/// refresh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeaderStatements([bool; 4]);

impl HeaderStatements {
    /// Returns the kinds that the headers of a page stated.
    pub(crate) fn of_page(facts: &PageFacts) -> Self {
        Self([
            facts.robots.iter().any(|one| one.place == Place::Header),
            facts.canonicals.iter().any(|one| one.place == Place::Header),
            facts.translations.iter().any(|one| one.place == Place::Header),
            facts.refresh.iter().any(|one| one.place == Place::Header),
        ])
    }

    /// Returns `true` if headers have all of these kinds too.
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
