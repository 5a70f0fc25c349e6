//! Writing records to whole files.

mod file;
#[cfg(feature = "gzip")]
mod gzip;
mod output;
mod records;
mod series;

pub(super) use output::Output;
pub(super) use records::SectionFiles;
pub(super) use series::Series;
