//! Finds out whether the pages of a sitemap may be fetched and indexed, which URL is canonical, and whether their
//! content has changed.
//!
//! A sitemap can be valid and still be wrong: a listed page may be marked `noindex`, name another page as canonical, or
//! have the date of the last build as its `lastmod`. This crate reads the pages and reports such entries.
//!
//! The crate sends no requests. Pass it responses from any HTTP client, or use `sitemap-fetch`, which requests pages
//! politely, and checks and crawls whole sites. With the `state` feature, a single SQLite file stores what is known
//! about the pages between runs.
//!
//! # Judge a sitemap
//!
//! Each entry is compared with what its page states. If they disagree, the entry gets a finding with a rule, a place
//! and a remedy:
//!
//! ```
//! use std::time::SystemTime;
//! use sitemap_pages::judge::judge;
//! use sitemap_pages::{JudgeOptions, Listed, MemoryEvidence, Outcome, PageFacts, PageRecord, Response, Validators, Visit};
//! use sitemap_read::SitemapReader;
//!
//! let mut evidence = MemoryEvidence::default();
//! let mut sitemap = SitemapReader::from_slice(b"https://example.com/oak\n");
//! while let Some(entry) = sitemap.next()? {
//!     let url = entry.loc().as_str();
//!     evidence.entries.push(Listed::new(0, entry.span(), url));
//!
//!     // From any HTTP client.
//!     let headers = [("content-type", "text/html"), ("x-robots-tag", "noindex")];
//!     let response = Response::new(url, 200, &headers, b"<title>Oak</title><p>A tree.");
//!     let facts = Box::new(PageFacts::of(&response));
//!     let outcome = Outcome::Page { facts, validators: Validators::default() };
//!     evidence.add(PageRecord::new(Visit::new(url.to_owned(), SystemTime::now(), outcome)));
//! }
//!
//! let mut findings = Vec::new();
//! let judgement = judge(&evidence, &JudgeOptions::new(), &mut |verdict| {
//!     findings.extend(verdict.findings.iter().map(ToString::to_string));
//! });
//! assert!(findings[0].starts_with("1:1: error[page-noindex]: "), "{findings:?}");
//! println!("{}", judgement.unwrap().table);
//! # Ok::<(), sitemap_read::ReadError>(())
//! ```
//!
//! # Where is what
//!
//! | module | contents |
//! |---|---|
//! | [`robots`] | the rules of robots.txt, by RFC 9309 |
//! | [`facts`] | what a page says in its headers and its HTML: robots, canonicals, translations, dates, links |
//! | [`visit`] | one attempt to request a page: redirects, and facts or the reason why there are none |
//! | [`content`] | the main content of a page, and whether it changed |
//! | [`commits`] | when files were last committed to git |
//! | `state` | all of this between runs, in one SQLite file; with the feature `state` |
//! | [`judge`](mod@judge) | whether the entries of a sitemap are true |
//! | [`report`] | one HTML page about a site |
//! | [`urls`] | parts of URLs |
//!
//! # Ask whether a crawler may fetch a page
//!
//! [`robots`] applies the rules of robots.txt as defined by RFC 9309:
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
//! # Tell a change of the content from a change of the template
//!
//! [`content`] compares a page's main content between two runs. It ignores blocks of text that many pages share, such
//! as navigation, footers and the build date.
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
//! # Keep it between runs
//!
//! With the `state` feature, `state::State` stores all of this in one file, and determines which pages have changed:
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
//! state.store(&run, &Visit::new(url, UNIX_EPOCH, Outcome::NotModified(Box::default())))?;
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

pub use commits::CommitDates;
pub use content::ContentDigest;
pub use facts::{PageFacts, Response};
pub use judge::{Evidence, JudgeOptions, Judgement, Listed, MemoryEvidence, PageRecord, Verdict};
pub use report::{ReportBuilder, ReportPage};
pub use robots::RobotsTxt;
#[cfg(feature = "state")]
pub use state::State;
pub use visit::{Failure, Outcome, Validators, Visit};
