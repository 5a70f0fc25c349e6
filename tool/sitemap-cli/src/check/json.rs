//! Findings as one JSON document.

use serde::Serialize;
use serde_json::Value;
use sitemap_read::Report;

use super::since::Since;
use crate::error::Outcome;
use crate::output::Output;
use crate::page_table::PageTable;

/// A report, with the table of pages if they were requested.
#[derive(Serialize)]
struct Document<'r> {
    #[serde(flatten)]
    report: &'r Report,
    /// The sitemaps that were skipped because they are unchanged since the older set.
    #[serde(skip_serializing_if = "Option::is_none")]
    unchanged: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<Value>,
}

pub(super) fn print(
    output: &mut Output,
    report: &Report,
    since: Option<&Since>,
    table: Option<&PageTable>,
) -> Outcome<()> {
    let (unchanged, pages) = (since.map(Since::json), table.map(PageTable::json));
    output.json_line(&Document { report, unchanged, pages })?;
    output.flush()
}
