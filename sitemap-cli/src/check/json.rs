//! Findings as one JSON document.

use sitemap_read::Report;

use crate::error::Outcome;
use crate::output::Output;

pub(super) fn print(report: &Report) -> Outcome<()> {
    let mut output = Output::new();
    output.json_line(report)?;
    output.flush()
}
