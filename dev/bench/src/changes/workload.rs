//! The set's pages and their changes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::Result;

/// The site's base URL.
pub(super) const BASE: &str = "https://www.example.com";

/// Writes the pages as CSV.
pub(super) fn write_pages(path: &Path, pages: u64) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, File::create(path)?);
    writeln!(out, "loc,lastmod")?;
    for id in 0..pages {
        writeln!(out, "{},{}", loc(id), date(id))?;
    }
    Ok(out.flush()?)
}

/// Writes changes, and returns the URLs of the changed pages. One third of the changes edit a page, one third remove
/// one, and one third add one. A single change edits a page.
pub(super) fn write_changes(path: &Path, pages: u64, changes: u64) -> Result<Vec<String>> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut locs = Vec::new();
    for change in 0..changes {
        // The changed pages are spread over all IDs.
        let id = change * (pages / changes) + change % (pages / changes);
        let loc = if change % 3 == 2 { loc(pages + change) } else { loc(id) };
        if change % 3 == 1 {
            writeln!(out, r#"{{"op":"remove","loc":"{loc}"}}"#)?;
        } else {
            writeln!(out, r#"{{"op":"upsert","loc":"{loc}","lastmod":"2026-11-22T08:00:00Z"}}"#)?;
        }
        locs.push(loc);
    }
    out.flush()?;
    Ok(locs)
}

fn loc(id: u64) -> String {
    format!("{BASE}/catalog/item-{id}")
}

/// Returns a date that looks random, because the dates on a real site rarely repeat.
fn date(id: u64) -> String {
    let mixed = id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let (month, day) = (mixed % 10 + 1, mixed / 10 % 28 + 1);
    let (hour, minute, second) = (mixed / 280 % 24, mixed / 6_720 % 60, mixed / 403_200 % 60);
    format!("2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}
