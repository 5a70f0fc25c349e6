//! Measures the CPU cost of publishing a sitemap set, contender by contender.

pub mod allocations;
pub mod cases;
pub mod child;
pub mod options;
pub mod publish;
pub mod read;
pub mod report;
pub mod verify;
pub mod workload;

/// What every fallible step of the benchmark returns: the first failure ends the whole run.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
