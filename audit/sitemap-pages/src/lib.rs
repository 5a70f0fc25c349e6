//! Finds out what the pages of a sitemap say: whether they may be fetched and indexed, which URL is canonical, and
//! whether their content changed.
//!
//! A sitemap can be valid and still be wrong: a listed page is marked `noindex`, names another page as canonical, or
//! has a `lastmod` that is the date of the last build. This crate reads the page and says so.
//!
//! The crate sends no requests: pass it the responses of any HTTP client, or use `sitemap-fetch`, which requests pages
//! politely, and checks and crawls whole sites. With the feature `state`, one SQLite file keeps what is known of the pages
//! between runs.
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
//! # Describe a visit
//!
//! A [`visit::Visit`] is one attempt to request a page: its redirects, and its facts or the reason why there are none.
//! `sitemap-fetch` makes them.
//!
//! # Judge the entries of a sitemap
//!
//! [`judge`] compares the entries of a sitemap with what is known about their pages. It reports each entry that is not
//! true as a finding, with a rule, a place and a remedy:
//!
//! ```
//! use std::time::SystemTime;
//! use sitemap_pages::judge::{JudgeOptions, Listed, MemoryEvidence, PageRecord, judge};
//! use sitemap_pages::visit::{Failure, FailureKind, Outcome, Visit};
//! use sitemap_read::{Position, Span};
//!
//! let mut evidence = MemoryEvidence::default();
//! let url = "https://example.com/oak";
//! evidence.entries.push(Listed::new(0, Span::new(Position::new(0, 1, 1), 23), url));
//! let outcome = Outcome::Failed(Failure::new(FailureKind::Timeout, "no answer within 30 s"));
//! evidence.add(PageRecord::new(Visit { url: url.into(), at: SystemTime::now(), hops: Vec::new(), outcome }));
//!
//! let judgement = judge(&evidence, &JudgeOptions::new(), &mut |verdict| {
//!     let finding = verdict.findings[0].to_string();
//!     assert_eq!(
//!         finding,
//!         "1:1: error[page-failing]: the page cannot be fetched: no answer within 30 s; repair the page or its server"
//!     );
//! });
//! println!("{}", judgement.unwrap().table);
//! ```
//!
//! [`report`] writes one HTML page about a site, from the same verdicts.
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
//!
//! # Find out when the source of a page changed
//!
//! [`commits`] reads from git when the files of a folder last changed.
//!
//! # Keep it between runs
//!
//! With the feature `state`, `state::State` keeps all of this in one file, and finds out which pages changed:
//!
//! ```
//! # #[cfg(feature = "state")]
//! # fn main() -> Result<(), sitemap_pages::state::StateError> {
//! use std::time::UNIX_EPOCH;
//! use sitemap_pages::state::{RunKind, State};
//! use sitemap_pages::visit::{Outcome, Visit};
//!
//! let state = State::in_memory()?; // or `State::create_or_open("site.state")`
//! let run = state.begin_run(RunKind::Check, UNIX_EPOCH)?;
//! let url = "https://example.com/oak".to_owned();
//! state.store(&run, &Visit { url, at: UNIX_EPOCH, hops: Vec::new(), outcome: Outcome::NotModified(Box::default()) })?;
//! state.finish_run(&run)?;
//! assert_eq!(state.page_count(), 1);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "state"))]
//! # fn main() {}
//! ```

pub mod commits;
pub mod content;
pub mod facts;
pub mod judge;
pub mod report;
pub mod robots;
#[cfg(feature = "state")]
mod stamp;
#[cfg(feature = "state")]
pub mod state;
pub mod urls;
pub mod visit;
