//! The pages to visit.

use crate::facts::{HeaderFacts, InHeaders, PageFacts};
use crate::visit::{Outcome, Validators, Visit};

/// A page to visit.
///
/// ```
/// use sitemap_pages::fetch::Request;
///
/// let request = Request::new("https://example.com/oak");
/// assert!(!request.is_conditional());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub(super) url: String,
    pub(super) condition: Option<Condition>,
}

/// What makes the request of one URL conditional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) url: String,
    pub(super) validators: Validators,
    /// What the headers stated that came with the validators.
    pub(super) stated: InHeaders,
}

impl Condition {
    /// Returns `true` if a 304 is enough to know what the page states now.
    ///
    /// A server may leave headers out of a 304, so a header that stated something and is missing may be gone or not. A
    /// 304 with the entity tag of another representation says nothing about the known one.
    ///
    /// Sources: RFC 9111, section 4.3.4; RFC 9110, section 15.4.5.
    pub(super) fn is_met(&self, headers: &HeaderFacts, validators: &Validators) -> bool {
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
    /// use sitemap_pages::fetch::Request;
    /// use sitemap_pages::visit::Validators;
    ///
    /// let validators = Validators { etag: Some("\"a1\"".to_owned()), last_modified: None };
    /// let request = Request::new("https://example.com/oak").unless(validators, "https://example.com/oak/");
    /// assert!(request.is_conditional());
    /// ```
    #[must_use]
    pub fn unless(mut self, validators: Validators, url: impl Into<String>) -> Self {
        let stated = InHeaders::default();
        self.condition = (!validators.is_empty()).then(|| Condition { url: url.into(), validators, stated });
        self
    }

    /// Makes the request conditional on the page that had these facts.
    pub(crate) fn unless_as(self, validators: &Validators, facts: &PageFacts) -> Self {
        let mut request = self.unless(validators.clone(), &facts.url);
        if let Some(condition) = &mut request.condition {
            condition.stated = InHeaders::of_page(facts);
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
    /// use sitemap_pages::fetch::Request;
    /// use sitemap_pages::visit::{Outcome, Validators, Visit};
    ///
    /// let response = Response {
    ///     requested: "https://example.com/oak",
    ///     url: "https://example.com/oak",
    ///     status: 200,
    ///     headers: &[],
    ///     body: b"<p>An oak",
    ///     is_cut: false,
    /// };
    /// let visit = Visit {
    ///     url: "https://example.com/oak".to_owned(),
    ///     at: SystemTime::UNIX_EPOCH,
    ///     hops: Vec::new(),
    ///     outcome: Outcome::Page {
    ///         facts: Box::new(PageFacts::of(&response)),
    ///         validators: Validators { etag: Some("\"a1\"".to_owned()), last_modified: None },
    ///     },
    /// };
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
