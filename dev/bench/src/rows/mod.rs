//! Publishes rows from memory, from a CSV file and from SQLite, and compares the cost with a plain scan of the same
//! columns.

mod csv;
mod memory;
mod record;
mod sqlite;
mod work;

use std::path::Path;

pub use work::Work;

use crate::Result;

/// Prepares the work on the file in the first directory. If the work publishes, it publishes to the second directory.
pub type Prepare = fn(&Path, &Path, u64) -> Work;

/// Where rows come from.
pub struct Source {
    /// The name in the table.
    pub name: &'static str,
    /// Writes a file with this number of rows to a directory.
    pub make: fn(&Path, u64) -> Result<()>,
    /// Reads all columns of all rows, and discards the values. `None` for rows in memory.
    pub scan: Option<Prepare>,
    /// Publishes all rows.
    pub publish: Prepare,
    /// The name of the in-memory source with the same kind of dates.
    pub alone: &'static str,
}

/// All sources, in table order. Those in memory come first.
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
