//! Findings as SARIF 2.1.0, so that code hosts show each finding next to its line.
//!
//! Source: [OASIS, SARIF 2.1.0](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).

use std::path::Path;

use serde_json::{Value, json};
use sitemap_read::{Baseline, FileReport, Finding, Known, ReadLimits, Report, Rule};

use super::region::{end_column, uri, windows};
use super::source_text::Windows;
use crate::error::Outcome;
use crate::output::Output;
use crate::page_table::PageTable;
use crate::source::Documents;

pub(super) fn print(
    output: &mut Output,
    report: &Report,
    baseline: Option<&Path>,
    documents: &Documents,
    limits: &ReadLimits,
    table: Option<&PageTable>,
) -> Outcome<()> {
    let stale = || report.stale().into_iter().flat_map(Baseline::iter);
    let mut rules: Vec<Rule> = report.counts().into_keys().chain(report.known().into_keys()).collect();
    rules.extend(stale().map(|known| known.rule));
    rules.sort_unstable();
    rules.dedup();
    let mut results = Vec::new();
    for file in report.files() {
        let mut lines = windows(file, documents, limits);
        for finding in file.findings() {
            let mut result = result(file, finding, lines.as_mut(), &rules);
            if baseline.is_some() {
                result["baselineState"] = json!("new");
            }
            results.push(result);
        }
        // Reads the lines from the start again, because known and new findings are interleaved.
        let mut lines = windows(file, documents, limits);
        for finding in file.known_findings() {
            let mut result = result(file, finding, lines.as_mut(), &rules);
            let path = baseline.map(|path| path.display().to_string()).unwrap_or_default();
            result["baselineState"] = json!("unchanged");
            result["suppressions"] =
                json!([{ "kind": "external", "justification": format!("known from `{path}`") }]);
            results.push(result);
        }
    }
    results.extend(stale().map(|known| absent(known, &rules)));
    let mut document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "sitemap",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules.iter().map(|rule| description(*rule)).collect::<Vec<_>>(),
                },
            },
            "columnKind": "unicodeCodePoints",
            "artifacts": report.files().iter().map(artifact).collect::<Vec<_>>(),
            "results": results,
            "properties": { "omitted": report.omitted(), "allowed": report.allowed() },
        }],
    });
    if let Some(table) = table {
        document["runs"][0]["properties"]["pages"] = table.json();
    }
    output.json_line(&document)?;
    output.flush()
}

fn description(rule: Rule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": { "text": rule.summary() },
        "fullDescription": { "text": rule.reason() },
        "helpUri": rule.url(),
        "help": { "text": rule.remedy() },
        "defaultConfiguration": { "level": rule.severity().as_str() },
        "properties": { "source": rule.authority().to_string(), "tags": [rule.group().as_str()] },
    })
}

fn artifact(file: &FileReport) -> Value {
    json!({ "location": { "uri": uri(file.name()) } })
}

fn result(file: &FileReport, finding: &Finding, lines: Option<&mut Windows>, rules: &[Rule]) -> Value {
    let (rule, start) = (finding.rule(), finding.span().start);
    let mut region = json!({ "startLine": start.line, "startColumn": start.column });
    if let Some(end) = end_column(finding, lines) {
        region["endColumn"] = json!(end);
    }
    let mut location = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(file.name()) }, "region": region },
    });
    if let Some(loc) = finding.entry() {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": loc, "kind": "resource" }]);
    }
    json!({
        "ruleId": rule.id(),
        "ruleIndex": rules.iter().position(|known| *known == rule),
        "level": finding.severity().as_str(),
        "message": { "text": format!("{}; {}", finding.full_message(), rule.remedy()) },
        "locations": [location],
        "properties": { "section": file.section() },
    })
}

/// Returns the result for a baseline finding that has disappeared.
fn absent(known: Known<'_>, rules: &[Rule]) -> Value {
    json!({
        "ruleId": known.rule.id(),
        "ruleIndex": rules.iter().position(|rule| *rule == known.rule),
        "level": known.rule.severity().as_str(),
        "message": { "text": known.message },
        "baselineState": "absent",
        "occurrenceCount": known.count,
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(known.file) } } }],
    })
}
