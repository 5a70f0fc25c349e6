//! This project's `Checker`. It checks files in memory against all rules, including scope and duplicates across files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sitemap_core::{LastMod, Loc};
use sitemap_read::{CheckOptions, Checker, Severity};

use super::tally::paths;
use crate::Result;
use crate::workload::BASE;

/// Checks all files with one checker, so that it finds duplicates across files.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    let served_at = Loc::parse(format!("{BASE}sitemap.xml"))?;
    let now = LastMod::date(2026, 12, 31)?;
    let mut checker = Checker::new(CheckOptions::new().served_at(served_at).now(now));
    let mut bytes = Vec::new();
    for path in paths(dir, entries) {
        bytes.clear();
        File::open(path)?.read_to_end(&mut bytes)?;
        checker.check_slice("sitemap.xml", &bytes)?;
    }
    let report = checker.finish();
    if report.pages() != entries || report.worst() >= Some(Severity::Warning) {
        return Err(format!(
            "the checker found {} of {entries} entries, and findings with these rules and counts: {:?}",
            report.pages(),
            report.counts()
        )
        .into());
    }
    Ok(())
}
