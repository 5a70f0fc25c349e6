//! Runs that request the pages of a site and store what they say.
//!
//! [`Survey::check`] requests the pages that the state's listing names, the pages that these name as canonical or as
//! translations, and some URLs that cannot exist. [`Survey::crawl`] follows links. Both can be interrupted at any time:
//! the next call with the same state continues, and ends with the same state as a run without interruptions. A process that
//! is killed loses the visits of its last two seconds at most, and not more than 16 of them or a sixteenth of all.

mod asking;
mod check;
mod crawl;
mod done;
mod followed;
mod options;
mod probe;
mod progress;
mod sample;
mod storing;
mod targets;
mod without_requests;

pub use done::Done;
pub use options::{CrawlLimits, Survey};
pub use progress::SurveyProgress;
pub use without_requests::{Store, Urls, Visited, check_with};

/// Returns a hash of a URL, for finding equal ones.
fn hash64(url: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(url)
}
