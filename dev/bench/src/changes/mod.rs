//! The cost of publishing after some pages of a set have changed.

pub mod measure;
pub mod run;
mod set;
mod table;
mod workload;
