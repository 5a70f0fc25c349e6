//! Checks single documents and whole sets against the table of rules.
//!
//! | module | what |
//! |---|---|
//! | `rules` | the rules by subject: **a new rule goes here** |
//! | `checker`, `options`, `levels`, `baseline`, `source` | what a caller uses: the checker and its options |
//! | `document` | the check of one document, from its first byte to its last |
//! | `set`, `walk` | the check of an index and the sitemaps that it lists, on several threads |
//! | `set_state`, `other_files`, `seen_urls`, `same_page` | what is kept from file to file, to compare files with each other |
//! | `sink`, `log` | findings on their way from a rule to the report |
//! | `report`, `file_id`, `serde` | the result |
//! | `recent` | which files repeat entries of others |

mod baseline;
mod checker;
mod document;
mod file_id;
mod levels;
mod log;
mod options;
mod other_files;
mod recent;
mod report;
mod rules;
mod same_page;
mod seen_urls;
#[cfg(feature = "serde")]
mod serde;
mod set;
mod set_state;
mod sink;
mod source;
mod walk;

pub use baseline::{Baseline, Known};
pub use checker::Checker;
pub use levels::{Level, Levels};
pub use options::CheckOptions;
pub use report::{FileReport, Report};
pub use source::{OpenError, OpenedSitemap, SitemapSource};
