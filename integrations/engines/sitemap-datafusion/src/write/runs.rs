//! Sorted runs on disk, for a hash bucket that doesn't fit in memory.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::sync::Arc;

use datafusion::common::internal_err;
use datafusion::error::Result;
use datafusion::execution::SpillFile;
use datafusion::execution::disk_manager::DiskManager;

use super::row::{Row, order};
use super::spilled::{self, NewFile};

/// The maximum number of runs. When there are more, they are merged into one, so even a huge bucket needs few open
/// files.
const MOST_RUNS: usize = 64;

/// What the files are for. Errors about the disk contain this.
const PURPOSE: &str = "sorting a hash bucket of a sitemap";

/// A hash bucket's sorted runs, each in its own file. Each row is preceded by its length.
pub(super) struct Runs {
    disk: Arc<DiskManager>,
    files: Vec<Arc<dyn SpillFile>>,
}

impl Runs {
    pub(super) fn new(disk: Arc<DiskManager>) -> Self {
        Self { disk, files: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes sorted rows as a run.
    pub(super) fn push<'r>(&mut self, rows: impl Iterator<Item = &'r [u8]>) -> Result<()> {
        if self.files.len() == MOST_RUNS {
            let mut all = NewFile::create(&self.disk, PURPOSE)?;
            merge(&std::mem::take(&mut self.files), |row| all.write(row))?;
            self.files.push(all.finish()?);
        }
        let mut run = NewFile::create(&self.disk, PURPOSE)?;
        for row in rows {
            run.write(row)?;
        }
        self.files.push(run.finish()?);
        Ok(())
    }

    /// Passes on all rows in order, and deletes the runs.
    pub(super) fn merge(&mut self, mut each: impl FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
        merge(&std::mem::take(&mut self.files), |row| each(&Row::decode(row)?))
    }
}

/// Passes on the bytes of all rows in order.
fn merge(runs: &[Arc<dyn SpillFile>], mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let mut readers = runs.iter().map(|run| Reader::open(&**run)).collect::<Result<Vec<_>>>()?;
    let mut heads = BinaryHeap::with_capacity(readers.len());
    for (run, reader) in readers.iter_mut().enumerate() {
        heads.extend(reader.next()?.map(|row| Reverse(Head { row, run })));
    }
    while let Some(Reverse(head)) = heads.pop() {
        each(&head.row)?;
        heads.extend(readers[head.run].next()?.map(|row| Reverse(Head { row, run: head.run })));
    }
    Ok(())
}

/// A run's next row. Compares like the row itself.
struct Head {
    row: Vec<u8>,
    run: usize,
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        order(&self.row, &other.row)
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}

/// Reads a run.
struct Reader {
    from: BufReader<File>,
}

impl Reader {
    fn open(run: &dyn SpillFile) -> Result<Self> {
        Ok(Self { from: spilled::open(run)? })
    }

    /// Returns the next row's bytes, or `None` at the end of the run.
    fn next(&mut self) -> Result<Option<Vec<u8>>> {
        if self.from.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut len = [0; size_of::<u64>()];
        self.from.read_exact(&mut len)?;
        let (len, mut row) = (u64::from_le_bytes(len), Vec::new());
        if (&mut self.from).take(len).read_to_end(&mut row)? as u64 != len {
            return internal_err!("the rows on disk are damaged");
        }
        Ok(Some(row))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};

    use super::*;
    use crate::write::row::{Date, Number};

    fn encoded(row: &Row<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        row.encode(&mut bytes);
        bytes
    }

    #[test]
    fn any_number_of_runs_is_merged_in_order() {
        let mut runs = Runs::new(Arc::clone(&RuntimeEnv::default().disk_manager));
        let mut expected = Vec::new();
        // Writes more runs than are merged at once. Each run contains every kind of row.
        for run in 0..2 * MOST_RUNS + 3 {
            let all = Row {
                loc: Some("/a"),
                lastmod: Some(Date::Text("2026-01-31T10:00:00.25+01:00")),
                changefreq: Some("daily"),
                priority: Some(Number::Float(0.25)),
                ..Row::default()
            };
            let loc = format!("/ü/{run:03}\n\t");
            let invalid = format!("invalid {run}");
            let rows = [
                Row::default(),
                all,
                Row { lastmod: Some(Date::Text(&invalid)), ..all },
                Row { loc: Some(&loc), priority: None, extras: Some("{}"), ..all },
            ];
            expected.extend(rows.iter().map(|row| format!("{row:?}")));
            let rows: Vec<_> = rows.iter().map(encoded).collect();
            runs.push(rows.iter().map(Vec::as_slice)).unwrap();
        }
        assert!(!runs.is_empty() && runs.files.len() <= MOST_RUNS);
        expected.sort();
        let (mut found, mut locs) = (Vec::new(), Vec::new());
        runs.merge(|row| {
            found.push(format!("{row:?}"));
            locs.push(row.loc.map(str::to_owned));
            Ok(())
        })
        .unwrap();
        assert!(runs.is_empty() && locs.is_sorted());
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_disk_that_is_full_is_an_error() {
        let runtime = RuntimeEnvBuilder::new().with_max_temp_directory_size(100).build().unwrap();
        let mut runs = Runs::new(Arc::clone(&runtime.disk_manager));
        let loc = "/".repeat(100_000);
        let row = encoded(&Row { loc: Some(&loc), ..Row::default() });
        let error = runs.push([&*row].into_iter()).unwrap_err();
        assert!(error.to_string().contains("disk space"), "{error}");
    }
}
