//! Measures what it costs this project and others to publish, read, update and serve sitemaps.
//!
//! | module | contains |
//! |---|---|
//! | [`options`], [`child`], [`report`] | what all programs share: the command line, processes that are measured, tables |
//! | [`workload`], [`verify`] | the pages that contenders publish, and the proof that they did |
//! | [`publish`], [`read`], [`rich`], [`rows`] | contenders in processes of their own |
//! | [`changes`], [`pages`], [`serve`] | the command and servers under load |

pub mod allocations;
pub mod changes;
pub mod child;
pub mod options;
pub mod pages;
pub mod publish;
pub mod read;
pub mod report;
pub mod rich;
pub mod rows;
pub mod serve;
pub mod verify;
pub mod workload;

/// The result of a benchmark step that may fail. The first error ends the whole run.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
