//! Runs that request the pages of a site and store what they say.
//!
//! [`Survey::check`] requests the pages that the state's listing names, the pages that these name as canonical or as
//! translations, and some URLs that cannot exist. [`Survey::crawl`] follows links. Both can be interrupted at any time:
//! the next call with the same state continues, and ends with the same state as a run without interruptions. A process that
//! is killed loses the visits of its last two seconds at most, and not more than 16 of them or a sixteenth of all.
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

/// Returns a hash of a URL, for finding equal ones.
fn hash64(url: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(url)
}
