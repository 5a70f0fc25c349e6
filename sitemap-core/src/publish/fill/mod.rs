//! Writes the records of sections to files: `records` counts them, `series` starts the next file when one is full, and
//! `file` lets threads compress the text of a file piece by piece.

mod file;
#[cfg(feature = "gzip")]
mod gzip;
mod output;
mod records;
mod series;

pub(super) use output::Output;
pub(super) use records::SectionFiles;
pub(super) use series::Series;

/// The approximate size in bytes of the pieces that are compressed or sent to other threads. Larger pieces would make
/// compressed files less than 1 % smaller.
const PIECE: usize = 512 * 1024;
