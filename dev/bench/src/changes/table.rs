//! The table of results.

use super::measure::Cost;
use super::set::Files;

/// A row of the table.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The number of hash buckets, or `None` for a set without buckets.
    pub(super) buckets: Option<u32>,
    pub(super) run: String,
    pub(super) cost: Cost,
    /// The CPU time of a full publication, for comparison.
    pub(super) full: Option<f64>,
    /// The files that a crawler has to fetch after the run, if they were counted.
    pub(super) fetched: Option<Files>,
}

/// Prints the table's header.
pub(super) fn head() {
    println!(
        "| buckets | run | wall s | CPU s | of a full run | peak RSS MiB | MB read | MB written | files fetched again | MB |"
    );
    println!("|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|");
}

impl Row {
    /// Prints the row.
    #[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
    pub(super) fn print(&self) {
        let Cost { wall, cpu, peak_kib, read, written, .. } = self.cost;
        let share = self.full.map_or_else(String::new, |full| format!("{:.2} %", cpu / full * 100.0));
        let fetched = self.fetched.map_or_else(
            || " | ".to_owned(),
            |Files { count, bytes }| format!("{count} | {}", megabytes(bytes as f64)),
        );
        println!(
            "| {} | {} | {wall:.2} | {cpu:.2} | {share} | {:.0} | {} | {} | {fetched} |",
            self.buckets.map_or_else(|| "none".to_owned(), |buckets| buckets.to_string()),
            self.run,
            peak_kib as f64 / 1024.0,
            megabytes(read as f64),
            megabytes(written as f64),
        );
    }
}

fn megabytes(bytes: f64) -> String {
    format!("{:.2}", bytes / 1e6)
}
