//! The pages to visit.

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
        self.condition = (!validators.is_empty()).then(|| Condition { url: url.into(), validators });
        self
    }

    /// Returns a request that repeats an earlier visit, on the condition that the page has changed since.
    ///
    /// If the earlier visit has no validators, the request is unconditional.
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
            Outcome::Page { facts, validators } => request.unless(validators.clone(), &facts.url),
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
