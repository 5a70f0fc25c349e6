//! Findings as one JSON document.

use serde_json::{Value, json};
use sitemap_core::Dialect;
use sitemap_read::{FileReport, Finding, Report, Severity};

use crate::error::Outcome;
use crate::output::Output;

pub(super) fn print(report: &Report) -> Outcome<()> {
    let omitted: serde_json::Map<String, Value> =
        report.omitted().into_iter().map(|(rule, count)| (rule.id().to_owned(), count.into())).collect();
    let document = json!({
        "format": 1,
        "files": report.files().iter().map(file).collect::<Vec<_>>(),
        "summary": {
            "errors": report.count(Severity::Error),
            "warnings": report.count(Severity::Warning),
            "notes": report.count(Severity::Note),
            "pages": report.pages(),
            "omitted": omitted,
        },
    });
    let mut output = Output::new();
    output.json_line(&document)?;
    output.flush()
}

fn file(file: &FileReport) -> Value {
    let document = file.document();
    json!({
        "name": file.name(),
        "served_at": file.served_at().map(sitemap_core::Loc::as_str),
        "kind": document.map(|document| document.kind.as_str()),
        "dialect": document.and_then(|document| document.dialect).map(|dialect| match dialect {
            Dialect::V0_9 => "0.9",
            Dialect::V0_84 => "0.84",
        }),
        "gzip": document.map(|document| document.gzip),
        "encoding": document.map(|document| document.encoding),
        "entries": file.entries(),
        "bytes": file.bytes(),
        "findings": file.findings().iter().map(finding).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    let (rule, span) = (finding.rule(), finding.span());
    json!({
        "rule": rule.id(),
        "severity": finding.severity().as_str(),
        "message": finding.message(),
        "help": rule.remedy(),
        "source": rule.authority().to_string(),
        "line": span.start.line,
        "column": span.start.column,
        "offset": span.start.offset,
        "length": span.len,
    })
}
