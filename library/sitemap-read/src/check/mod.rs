//! Checks documents and whole sets against the table of rules.

mod attached;
mod baseline;
mod checker;
mod document;
mod engine;
mod file_id;
mod hreflang;
mod levels;
mod log;
mod options;
mod others;
mod page;
mod recent;
mod report;
mod role;
mod same;
mod scope;
mod seen;
#[cfg(feature = "serde")]
mod serde;
mod set;
mod set_state;
mod sink;
mod source;
mod state;
mod unreadable;
mod walk;
mod well_formed;

pub use baseline::{Baseline, Known};
pub use checker::Checker;
pub use engine::{Engine, UnknownEngine};
pub use levels::{Level, Levels};
pub use options::CheckOptions;
pub use report::{FileReport, Report};
pub use source::{OpenError, OpenedSitemap, SitemapSource};
