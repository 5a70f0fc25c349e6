//! Formats the results as a Markdown table.

use std::fmt::Write;

use crate::child::Usage;

/// The measurements of one contender.
#[derive(Debug)]
pub struct Row {
    /// The contender's name.
    pub name: &'static str,
    /// The timed runs.
    pub runs: Vec<Usage>,
    /// The number of heap allocations in the counted run.
    pub allocations: u64,
    /// The total size of the published files, in bytes.
    pub bytes: u64,
}

impl Row {
    fn median(&self, of: impl Fn(&Usage) -> f64) -> f64 {
        let mut values: Vec<f64> = self.runs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
    }

    fn range(&self) -> (f64, f64) {
        let cpu = self.runs.iter().map(Usage::cpu);
        cpu.fold((f64::INFINITY, 0.0), |(min, max), cpu| (cpu.min(min), cpu.max(max)))
    }
}

/// Returns the table. Each row is compared with the first.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
pub fn table(rows: &[Row], entries: u64) -> String {
    let mut out = String::new();
    let Some(base) = rows.first() else { return out };
    let (base_name, base) = (base.name, base.median(Usage::cpu));
    _ = writeln!(
        out,
        "| contender | CPU s, median | x {base_name} | min | max | user s | sys s \
         | peak RSS MiB | allocations/entry | bytes written |"
    );
    _ = writeln!(out, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for row in rows {
        let cpu = row.median(Usage::cpu);
        let (min, max) = row.range();
        _ = writeln!(
            out,
            "| {} | {cpu:.3} | {:.2} | {min:.3} | {max:.3} | {:.3} | {:.3} | {:.1} | {:.2} | {} |",
            row.name,
            cpu / base,
            row.median(|run| run.user),
            row.median(|run| run.system),
            row.median(|run| run.peak_kib as f64) / 1024.0,
            row.allocations as f64 / entries as f64,
            row.bytes,
        );
    }
    out
}
