//! What earlier runs found out about the pages of a site, in one SQLite file.
//!
//! A [`State`] keeps the last visit of each page, its main content and the date when that content changed, the listing
//! of the sitemaps, the robots.txt of hosts, and what a crawl has found. A run that was interrupted is resumed.
//!
//! # True dates
//!
//! [`State::finish_run`] compares the main content of the pages with the run before. A page whose content changed gets
//! the time of its visit as its date. All others keep theirs, whatever happened to their template:
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
//! [`DigestDates`] does the same for the records of an application that has no pages at hand.
//!
//! # Damage
//!
//! Each row has a digest, and each table has a count and the sum of its digests. So [`StateError::Damaged`] reports a
//! row that is damaged or moved when it is read, and one that is missing when the whole table is read, or by
//! [`State::verify`]. What is damaged is never used.
//!
//! # Memory
//!
//! Rows are read a few at a time, so that memory does not grow with the number of pages. A run keeps numbers for the blocks
//! of a small site until [`State::finish_run`], in at most 32 MB.
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | opening, creating and locking the file | `file`, `handle`, `head` |
//! | rows and tables | `db`, `table`, `rows`, `seal` |
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
mod handle;
mod head;
mod host;
mod links;
mod listing;
mod page;
mod records;
mod rows;
mod run;
mod seal;
mod shapes;
mod table;

pub use changes::ContentChanges;
pub use error::StateError;
pub use frontier::FoundUrl;
pub use gap::{Gap, GapReason};
pub use handle::State;
pub use host::Host;
pub use listing::{ListedAlternate, ListedPage, NewListing};
pub use page::Page;
pub use records::DigestDates;
pub use run::{Run, RunKind, RunRecord};
