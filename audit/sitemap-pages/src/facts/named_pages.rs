//! Other pages that a page names: its canonical and its translations.

use super::place::Place;

/// A canonical named by the page.
///
/// ```
/// use sitemap_pages::facts::{PageFacts, Place, Response};
///
/// let url = "https://example.com/oak?sort=price";
/// let headers = [("Link", "</elm>; rel=canonical")];
/// let body = b"<!doctype html><base href=/shop/><link rel=canonical href=oak>";
/// let facts = PageFacts::of(&Response::new(url, 200, &headers, body));
/// let found: Vec<_> = facts.canonicals.iter().map(|one| (one.place, one.url.as_deref().unwrap())).collect();
/// assert_eq!(found, [(Place::Header, "https://example.com/elm"), (Place::Head, "https://example.com/shop/oak")]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Canonical {
    /// The target as written.
    pub target: String,
    /// The target's absolute URL, with any scheme, without its fragment. `None` if the target is not a URL.
    pub url: Option<String>,
    /// The part of the response that names the canonical.
    pub place: Place,
}

/// A translation that the page names with `hreflang`.
///
/// ```
/// use sitemap_pages::facts::{PageFacts, Response};
///
/// let url = "https://example.com/en/";
/// let body = b"<!doctype html><link rel=alternate hreflang=de-AT href=/at/>";
/// let facts = PageFacts::of(&Response::new(url, 200, &[], body));
/// assert_eq!(facts.translations[0].language, "de-AT");
/// assert_eq!(facts.translations[0].url.as_deref(), Some("https://example.com/at/"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Translation {
    /// The value of `hreflang` as written.
    pub language: String,
    /// The target as written.
    pub target: String,
    /// The target's absolute URL, with any scheme, without its fragment. `None` if the target is not a URL.
    pub url: Option<String>,
    /// The part of the response that names the translation.
    pub place: Place,
}
