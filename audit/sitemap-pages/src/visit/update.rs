//! The changes made by a response without a body.

use super::Validators;
use crate::facts::{HeaderFacts, PageFacts};

/// The update from a 304 response. The page's body hasn't changed, but the response's headers replace the earlier ones.
///
/// ```
/// use sitemap_pages::facts::{HeaderFacts, PageFacts, Response};
/// use sitemap_pages::visit::{HeaderUpdate, Validators};
///
/// let url = "https://example.com/oak";
/// let response = Response::new(url, 200, &[], b"<p>An oak");
/// let mut facts = PageFacts::of(&response);
/// let mut validators = Validators::new(Some("W/\"a1\"".to_owned()), None);
///
/// let headers = &[("X-Robots-Tag", "noindex")];
/// let later = HeaderFacts::of(&Response::new(url, 304, headers, b""));
/// let update = HeaderUpdate::new(later, Validators::default());
/// update.apply(&mut facts, &mut validators);
/// assert_eq!((facts.robots.len(), validators.etag.as_deref()), (1, Some("W/\"a1\"")));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct HeaderUpdate {
    /// What the headers state about the page.
    pub headers: HeaderFacts,
    /// The validators of the 304. If one is missing, it keeps its earlier value.
    pub validators: Validators,
}

impl HeaderUpdate {
    /// Creates an update.
    pub fn new(headers: HeaderFacts, validators: Validators) -> Self {
        Self { headers, validators }
    }

    /// Updates what is known about the page. See the [example](Self).
    pub fn apply(&self, facts: &mut PageFacts, validators: &mut Validators) {
        self.headers.update(facts);
        for (known, new) in [
            (&mut validators.etag, &self.validators.etag),
            (&mut validators.last_modified, &self.validators.last_modified),
        ] {
            if new.is_some() {
                known.clone_from(new);
            }
        }
    }
}
