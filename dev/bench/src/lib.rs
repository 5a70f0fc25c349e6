//! Measures the CPU time that contenders take to publish and to read a set of sitemaps.

pub mod allocations;
pub mod cases;
pub mod changes;
pub mod child;
pub mod compress;
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

/// The result of a fallible step of the benchmark. The first error ends the whole run.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
