//! Writes the records of sections to files.

mod file;
#[cfg(feature = "gzip")]
mod gzip;
mod output;
mod piece;
mod records;
mod series;

pub(super) use output::Output;
pub(super) use records::SectionFiles;
pub(super) use series::Series;
