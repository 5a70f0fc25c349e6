//! The cost of a publication after some pages of a set have changed.

pub mod measure;
mod model;
pub mod options;
pub mod run;
mod set;
mod table;
mod workload;
