//! Finds out what the pages of a sitemap say: whether they may be fetched and indexed, which URL is canonical, and
//! whether their content changed.
//!
//! A sitemap can be valid and still be wrong: a listed page is marked `noindex`, names another page as canonical, or
//! has a `lastmod` that is the date of the last build. This crate reads the page and says so. It sends no requests: you
//! pass it the responses of any HTTP client.
//!
//! # Ask whether a crawler may fetch a page
//!
//! [`robots`] applies the rules of robots.txt by RFC 9309:
//!
//! ```
//! use sitemap_pages::robots::RobotsTxt;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\n");
//! let agent = robots_txt.agent("googlebot");
//! assert!(agent.is_allowed("https://example.com/products/1"));
//! assert!(!agent.is_allowed("https://example.com/cart?add=1"));
//! ```
//!
//! # Read what a page says about itself
//!
//! [`facts`] reads headers and HTML: directives for robots, canonicals, translations, refreshes, dates and links.
//!
//! ```
//! use sitemap_pages::facts::{PageFacts, Response};
//!
//! let facts = PageFacts::of(&Response {
//!     requested: "https://example.com/oak",
//!     url: "https://example.com/oak",
//!     status: 200,
//!     headers: &[("content-type", "text/html"), ("x-robots-tag", "noindex")],
//!     body: b"<title>Oak</title><link rel=canonical href=/wood/oak><p>A tree.",
//!     is_cut: false,
//! });
//! assert_eq!(facts.canonicals[0].url.as_deref(), Some("https://example.com/wood/oak"));
//! assert_eq!(facts.robots.len(), 1);
//! ```
//!
//! # Tell a change of the content from a change of the template
//!
//! [`content`] compares the main content of a page between two runs. Blocks of text that many pages share, such as
//! navigation, footers and the date of the build, do not count.
//!
//! ```
//! use sitemap_pages::content::{Blocks, ContentChange, Folder, SharedBlocks};
//!
//! let folder = Folder::of("https://example.com/trees/");
//! let site = |menu: &str, last: &str| {
//!     ["Ash", "Elm", "Fir", "Oak", last].map(|text| Blocks::of_html(format!("<p>{menu}</p><p>{text}</p>").as_bytes()))
//! };
//! let shared = |site: &[Blocks]| SharedBlocks::count(site.iter().map(|blocks| (folder, &blocks[..])));
//!
//! let (before, now) = (site("Trees", "Yew"), site("All trees", "Yew and pine"));
//! let (shared_before, shared_now) = (shared(&before), shared(&now));
//! let changed: Vec<_> = std::iter::zip(&before, &now)
//!     .map(|(old, new)| ContentChange::between((&shared_before, old), (&shared_now, new), folder).is_change())
//!     .collect();
//! assert_eq!(changed, [false, false, false, false, true], "the menu is on all pages, so it does not count");
//! ```

pub mod content;
pub mod facts;
pub mod robots;
