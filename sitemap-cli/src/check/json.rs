//! Findings as one JSON document.

use serde::Serialize;
use serde_json::Value;
use sitemap_read::Report;

use crate::error::Outcome;
use crate::output::Output;
use crate::page_table::PageTable;

/// A report, with the table of pages if they were asked.
#[derive(Serialize)]
struct Document<'r> {
    #[serde(flatten)]
    report: &'r Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<Value>,
}

pub(super) fn print(output: &mut Output, report: &Report, table: Option<&PageTable>) -> Outcome<()> {
    output.json_line(&Document { report, pages: table.map(PageTable::json) })?;
    output.flush()
}
