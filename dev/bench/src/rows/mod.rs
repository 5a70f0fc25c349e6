//! The way from rows in memory, a CSV file and SQLite to a published set, compared with a plain scan of the
//! same columns.

mod csv;
mod memory;
mod record;
mod sqlite;
mod work;

use std::path::Path;

pub use work::Work;

use crate::Result;

/// A function that prepares the work on the file in the first directory. A publication is written to the second one.
pub type Prepare = fn(&Path, &Path, u64) -> Work;

/// A place that rows come from.
pub struct Source {
    /// The name in the table.
    pub name: &'static str,
    /// Writes the file with this number of rows to a directory.
    pub make: fn(&Path, u64) -> Result<()>,
    /// Reads all columns of all rows, and discards the values. Rows in memory have no scan.
    pub scan: Option<Prepare>,
    /// Publishes all rows.
    pub publish: Prepare,
    /// The name of the rows in memory with the same kind of dates.
    pub alone: &'static str,
}

/// All sources, in the order of the table. Those in memory come first.
pub const SOURCES: &[Source] = &[
    Source { name: "memory", make: |_, _| Ok(()), scan: None, publish: memory::publish, alone: "memory" },
    Source {
        name: "memory, dates as text",
        make: |_, _| Ok(()),
        scan: None,
        publish: memory::publish_texts,
        alone: "memory, dates as text",
    },
    Source {
        name: "CSV",
        make: csv::make,
        scan: Some(csv::scan),
        publish: csv::publish,
        alone: "memory, dates as text",
    },
    Source {
        name: "SQLite",
        make: sqlite::make,
        scan: Some(sqlite::scan),
        publish: sqlite::publish,
        alone: "memory, dates as text",
    },
];
