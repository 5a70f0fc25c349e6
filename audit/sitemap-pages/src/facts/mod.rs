//! The facts that a page states about itself in its headers and HTML.
//!
//! [`PageFacts::of`] reads all of them in one pass. It doesn't judge whether a page with these facts belongs in a
//! sitemap.
//!
//! - HTML is read as by a browser with scripting enabled. The contents of `<noscript>` are text, and the contents of
//!   `<template>` are ignored.
//! - The head ends where it does in a browser: at text, or at the first element that is not allowed there, such as
//!   `<img>`. Everything after that is in the body, even before a late `</head>`.
//! - Relative URLs in HTML are resolved against the first `<base href>`, wherever it is. Those in headers are resolved
//!   against the page's URL.
//! - Each list of statements contains at most 1,000 items. Those above the limit are omitted, but counted.
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

/// The maximum number of links that [`PageFacts::of`] keeps.
const MOST_LINKS: usize = 10_000;

/// The facts of a page.
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
    /// The URL that responded, after all redirects.
    pub url: String,
    /// The status code.
    pub status: u16,
    /// The media type from the `Content-Type` header, in lower case and without parameters.
    pub content_type: Option<String>,
    /// Whether the body was read as HTML. If not, all facts come from the headers.
    pub is_html: bool,
    /// The name of the encoding. Only set for HTML.
    #[cfg_attr(feature = "state", serde(with = "charset_name"))]
    pub charset: Option<CharsetName>,
    /// How the encoding was determined.
    pub charset_source: Option<CharsetSource>,
    /// The robots directives, with those from headers first.
    pub robots: Vec<RobotsDirective>,
    /// All canonicals, with those from headers first.
    pub canonicals: Vec<Canonical>,
    /// All translations, with those from headers first.
    pub translations: Vec<Translation>,
    /// The first refresh.
    pub refresh: Option<Refresh>,
    /// The first title, with white space collapsed.
    pub title: Option<String>,
    /// The language from `<html lang>`, or else from the `Content-Language` header.
    pub language: Option<String>,
    /// The dates stated by the page.
    pub dates: Vec<PageDate>,
    /// The distinct links to other pages, in order. Doesn't include canonicals, translations or the refresh target.
    ///
    /// Skipped by serde, because the links are stored separately in the state file.
    #[cfg_attr(feature = "state", serde(skip))]
    pub links: Vec<PageLink>,
    /// The number of links above the limit. A link that was omitted is counted each time it occurs.
    pub omitted_links: usize,
    /// The number of distinct targets that are not URLs.
    pub invalid_links: usize,
    /// The number of other statements above the limit. For a list of robots directives, at most 1,000 of them are
    /// counted.
    pub omitted: usize,
    /// The number of structured data scripts that contain dates but are not JSON.
    pub invalid_json_ld: usize,
    /// Whether the page contains a password field.
    pub has_password: bool,
    /// Whether the page looks empty without JavaScript.
    pub is_empty_without_javascript: bool,
    /// Whether the HTML is probably a part of a page: it has no doctype, `<html>`, `<head>` or `<body>`, and no element
    /// that belongs in the head.
    pub is_fragment: bool,
    /// The blocks of the main content.
    ///
    /// Skipped by serde, because the blocks are stored separately in the state file.
    #[cfg_attr(feature = "state", serde(skip))]
    pub blocks: Blocks,
    /// XXH3-128 of the body as read.
    pub body_digest: [u8; 16],
    /// Whether facts may be missing, because only part of the body was read or a status 206 marks it as partial.
    pub is_cut: bool,
}

impl PageFacts {
    /// Reads the facts from a response, with at most 10,000 links.
    pub fn of(response: &Response<'_>) -> Self {
        Self::with_links(response, MOST_LINKS)
    }

    /// Reads the facts from a response, with at most `most` links. See the [example](Self).
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
            is_fragment: kind != Kind::Other && !reader.is_document,
            blocks: ending.blocks,
            body_digest: hash128(response.body),
            is_cut: response.is_cut || response.is_part(),
        }
    }
}
