//! Access logs as tables, and functions that tell which requests came from crawlers.

mod columns;
mod crawler;
mod files;
mod table;

pub use crawler::register_crawlers;
pub(crate) use crawler::{has_ranges, unknown_crawlers};
pub use table::LogTableFactory;
