//! The facts that a page states about itself, in its headers and its HTML.
//!
//! [`PageFacts::of`] reads all of them in one pass. It judges nothing: whether a page with these facts belongs into a
//! sitemap is decided elsewhere.
//!
//! - HTML is read as a browser with scripting reads it. The content of `<noscript>` is text, and that of `<template>`
//!   states nothing.
//! - The head ends where a browser ends it: at the first element that may not be there, such as `<img>`, or at text.
//!   What follows is in the body, also before a late `</head>`.
//! - Relative URLs refer to the first `<base href>`, wherever it stands, and in headers to the URL of the page.
//! - A list of statements has at most 1,000 items. What is left out is counted.
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | the pass over the tokens of a page | `reader` |
//! | what headers state | `header_facts`, `link_header` |
//! | directives for robots, refreshes, canonicals and translations | `robots`, `refresh`, `named_pages` |
//! | links, and where they lead | `links`, `resolve` |
//! | dates | `page_date`, `json_ld`, `date` |
//! | the encoding | `charset`, `charset_name` |
//! | where the head ends, and pages that need JavaScript | `place`, `empty_page` |

mod charset;
mod charset_name;
mod date;
mod empty_page;
mod header_facts;
mod json_ld;
mod link_header;
mod links;
mod named_pages;
mod page_date;
mod place;
mod reader;
mod refresh;
mod resolve;
mod response;
mod robots;

#[cfg(test)]
mod facts_tests;
#[cfg(test)]
mod hostile_tests;

pub use charset::CharsetSource;
pub use charset_name::CharsetName;
pub use header_facts::HeaderFacts;
pub use links::{LinkKind, PageLink};
pub use named_pages::{Canonical, Translation};
pub use page_date::{PageDate, PageDateKind};
pub use place::Place;
pub use refresh::Refresh;
pub use response::Response;
pub use robots::{RobotsDirective, RobotsRule};

use crate::content::{Blocks, hash128};
use reader::{Kind, Reader};

/// The number of links that [`PageFacts::of`] keeps.
const MOST_LINKS: usize = 10_000;

/// The facts of one page.
///
/// ```
/// use sitemap_pages::facts::{PageFacts, Response};
///
/// let facts = PageFacts::of(&Response::new("https://example.com/oak", 200, &[("content-type", "text/html")], b"<html lang=en><title>Oak</title><link rel=canonical href=/wood/oak><p>About <a href=elm>elm</a>.</p>"));
/// assert!(facts.is_html);
/// assert_eq!(facts.title.as_deref(), Some("Oak"));
/// assert_eq!(facts.language.as_deref(), Some("en"));
/// assert_eq!(facts.canonicals[0].url.as_deref(), Some("https://example.com/wood/oak"));
/// assert_eq!(facts.links[0].url, "https://example.com/elm");
/// assert_eq!(facts.blocks.len(), 2, "the title and the paragraph");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[non_exhaustive]
pub struct PageFacts {
    /// The URL that was requested first.
    pub requested: String,
    /// The URL that answered, after all redirects.
    pub url: String,
    /// The status code.
    pub status: u16,
    /// The media type of the header `Content-Type`, in lower case, without parameters.
    pub content_type: Option<String>,
    /// Whether the body was read as HTML. If not, all facts come from the headers.
    pub is_html: bool,
    /// The name of the encoding, for HTML.
    #[cfg_attr(feature = "state", serde(with = "charset_name"))]
    pub charset: Option<CharsetName>,
    /// How the encoding was found.
    pub charset_source: Option<CharsetSource>,
    /// The directives for robots, those of headers first.
    pub robots: Vec<RobotsDirective>,
    /// All canonicals, those of headers first.
    pub canonicals: Vec<Canonical>,
    /// All translations, those of headers first.
    pub translations: Vec<Translation>,
    /// The first refresh.
    pub refresh: Option<Refresh>,
    /// The first title, with single spaces.
    pub title: Option<String>,
    /// The language of `<html lang>`, or else of the header `Content-Language`.
    pub language: Option<String>,
    /// The dates that the page states.
    pub dates: Vec<PageDate>,
    /// The distinct links to other pages, in order. The canonicals, the translations and the target of the refresh are
    /// not among them.
    ///
    /// serde leaves them out, because a state keeps them on their own.
    #[cfg_attr(feature = "state", serde(skip))]
    pub links: Vec<PageLink>,
    /// The number of links past the limit. A link that is left out counts each time that it occurs.
    pub omitted_links: usize,
    /// The number of distinct targets that are not URLs.
    pub invalid_links: usize,
    /// The number of other statements past the limit. A list of directives for robots counts up to 1,000 of them.
    pub omitted: usize,
    /// The number of scripts with structured data that have dates and are not JSON.
    pub invalid_json_ld: usize,
    /// Whether the page has a field for a password.
    pub has_password: bool,
    /// Whether the page looks empty without JavaScript.
    pub is_empty_without_javascript: bool,
    /// The blocks of the main content.
    ///
    /// serde leaves them out, because a state keeps them on their own.
    #[cfg_attr(feature = "state", serde(skip))]
    pub blocks: Blocks,
    /// XXH3-128 of the body, as it was read.
    pub body_digest: [u8; 16],
    /// Whether the body is longer than what was read, or a status 206 says that it is a part, so that facts may be
    /// missing.
    pub is_cut: bool,
}

impl PageFacts {
    /// Reads the facts of a response, with at most 10,000 links.
    pub fn of(response: &Response<'_>) -> Self {
        Self::with_links(response, MOST_LINKS)
    }

    /// Reads the facts of a response, with at most so many links. [Example](Self).
    pub fn with_links(response: &Response<'_>, most: usize) -> Self {
        let content_type = response.first("content-type").map(reader::media_type);
        let media_type = content_type.as_ref().map(|(media_type, _)| media_type.as_str());
        let kind = reader::kind(media_type.filter(|name| !name.is_empty()), response.body);
        let encoding = (kind != Kind::Other).then(|| {
            charset::find(content_type.as_ref().and_then(|(_, charset)| charset.as_deref()), response.body)
        });
        let html = encoding.map(|(encoding, _)| charset::decode(encoding, response.body)).unwrap_or_default();
        let mut reader = Reader::new(most);
        reader.headers(response);
        reader.body(&html, kind == Kind::Xhtml);
        let ending = reader.finish(response.url);
        Self {
            requested: response.requested.to_owned(),
            url: response.url.to_owned(),
            status: response.status,
            content_type: content_type.map(|(media_type, _)| media_type),
            is_html: kind != Kind::Other,
            charset: encoding.map(|(encoding, _)| encoding.name()),
            charset_source: encoding.map(|(_, source)| source),
            robots: reader.robots,
            canonicals: reader.canonicals,
            translations: reader.translations,
            refresh: reader.refresh,
            title: reader.title,
            language: reader.language,
            dates: reader.dates,
            links: ending.links,
            omitted_links: ending.omitted_links,
            invalid_links: ending.invalid_links,
            omitted: reader.omitted,
            invalid_json_ld: reader.invalid_json_ld,
            has_password: reader.has_password,
            is_empty_without_javascript: kind != Kind::Other && ending.is_shell,
            blocks: ending.blocks,
            body_digest: hash128(response.body),
            is_cut: response.is_cut || response.is_part(),
        }
    }
}
