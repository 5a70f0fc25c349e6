//! What earlier runs found out about a site's pages, stored in one SQLite file.
//!
//! A [`State`] stores the last visit to each page, the page's main content and the date when that content changed, the
//! listing of the sitemaps, the robots.txt of each host, and the URLs and links that a crawl has found. An interrupted
//! run can be resumed.
//!
//! # True dates
//!
//! [`State::finish_run`] compares the main content of pages with that of the previous run. If a page's content has
//! changed, its date becomes the time of the visit. All other pages keep their dates, even if their template has
//! changed:
//!
//! ```
//! use std::time::{Duration, SystemTime, UNIX_EPOCH};
//! use sitemap_pages::facts::{PageFacts, Response};
//! use sitemap_pages::state::{RunKind, State};
//! use sitemap_pages::visit::{Outcome, Validators, Visit};
//!
//! fn build(state: &State, now: SystemTime, pages: &[(&str, String)]) -> Result<String, Box<dyn std::error::Error>> {
//!     let run = state.begin_run(RunKind::Build, now)?;
//!     for (name, html) in pages {
//!         let url = format!("https://example.com/{name}");
//!         let headers = &[("content-type", "text/html")];
//!         let body = html.as_bytes();
//!         let response = Response::new(&url, 200, headers, body);
//!         let facts = Box::new(PageFacts::of(&response));
//!         let outcome = Outcome::Page { facts, validators: Validators::default() };
//!         state.store(&run, &Visit::new(url, now, outcome))?;
//!     }
//!     Ok(state.finish_run(&run)?.to_string())
//! }
//!
//! let site = |menu: &str, oak: &str| {
//!     [("ash", "Ash bends"), ("elm", "Elm splits"), ("fir", "Fir grows"), ("oak", oak)]
//!         .map(|(name, text)| (name, format!("<p>{menu}<p>{text}")))
//! };
//! let state = State::in_memory()?;
//! let day = |number: u64| UNIX_EPOCH + Duration::from_secs(number * 86_400);
//! assert_eq!(build(&state, day(1), &site("Trees", "Oak grows"))?, "4 new, 0 changed, 0 unchanged");
//! assert_eq!(build(&state, day(2), &site("All trees", "Oak grows"))?, "0 new, 0 changed, 4 unchanged");
//! assert_eq!(build(&state, day(3), &site("All trees", "Oak burns"))?, "0 new, 1 changed, 3 unchanged");
//! assert_eq!(state.page("https://example.com/oak")?.unwrap().content_changed, Some(day(3)));
//! assert_eq!(state.page("https://example.com/elm")?.unwrap().content_changed, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`DigestDates`] does the same for an application's records, without needing the pages.
//!
//! # Damage
//!
//! Each row has a digest. For each table, the file also stores the row count and the sum of the digests. A damaged or
//! moved row is reported as [`StateError::Damaged`] when it is read. A missing row is reported when the whole table is
//! read, or by [`State::verify`]. Damaged data is never used.
//!
//! # Memory
//!
//! Rows are read a few at a time, so memory use doesn't grow with the number of pages. On a small site, a run also
//! keeps the hashes of all blocks in memory until [`State::finish_run`], which takes at most 32 MB.
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | opening, creating and locking the file | `file`, `open_state`, `head` |
//! | rows and tables | `db`, `table`, `rows`, `row_digest` |
//! | runs, and what they left out | `run`, `gap` |
//! | pages, their links and their content | `page`, `links`, `content` |
//! | which pages changed | `dates`, `changes`, `shapes` |
//! | the entries of sitemaps | `listing` |
//! | robots.txt and missing pages of hosts | `host` |
//! | the URLs that a crawl has found | `frontier` |
//! | dates for the records of an application | `records` |

mod changes;
mod content;
mod dates;
mod db;
mod error;
mod file;
mod frontier;
mod gap;
mod head;
mod host;
mod links;
mod listing;
mod open_state;
mod page;
mod records;
mod row_digest;
mod rows;
mod run;
mod shapes;
mod table;

pub use changes::ContentChanges;
pub use error::StateError;
pub use frontier::FoundUrl;
pub use gap::{Gap, GapReason};
pub use host::Host;
pub use listing::{ListedAlternate, ListedPage, NewListing};
pub use open_state::State;
pub use page::Page;
pub use records::DigestDates;
pub use run::{Run, RunKind, RunRecord};
