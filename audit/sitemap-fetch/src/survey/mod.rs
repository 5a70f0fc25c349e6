//! Runs that request a site's pages and store the facts that they state.
//!
//! [`Survey::check`] requests the pages in the state's listing, the pages that these name as canonicals or
//! translations, and some URLs that can't exist. [`Survey::crawl`] follows links. Both can be interrupted at any time:
//! the next call with the same state continues the run, and the result is the same as without an interruption. If the
//! process is killed, it loses at most the visits of its last two seconds. It also never loses more than 16 visits or a
//! sixteenth of all visits, whichever is more.
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | the options, the progress, the result | `options`, `progress`, `summary` |
//! | a check: the listed pages, the pages that they name, URLs that cannot exist | `check`, `sample`, `targets`, `probe` |
//! | a crawl, and the links that it followed lately | `crawl`, `recent_links` |
//! | a check without requests | `offline` |
//! | what is requested next, and what is stored | `work`, `store` |

mod check;
mod crawl;
mod offline;
mod options;
mod probe;
mod progress;
mod recent_links;
mod sample;
mod store;
mod summary;
mod targets;
mod work;

pub use offline::{Store, Urls, Visited, check_with};
pub use options::{CrawlLimits, Survey};
pub use progress::SurveyProgress;
pub use summary::Done;

/// Returns a hash of a URL, used to find duplicates.
fn hash64(url: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(url)
}
