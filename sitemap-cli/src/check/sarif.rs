//! Findings as SARIF 2.1.0. Code hosts show each finding next to its line of the file.
//!
//! Source: [OASIS, SARIF 2.1.0](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).

use std::path::Path;

use serde_json::{Value, json};
use sitemap_read::{FileReport, Finding, Report, Rule};

use crate::error::Outcome;
use crate::output::Output;
use crate::percent;

pub(super) fn print(report: &Report) -> Outcome<()> {
    let rules: Vec<Rule> = report.counts().into_keys().collect();
    let results: Vec<Value> =
        report.findings().map(|(file, finding)| result(file, finding, &rules)).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "sitemap",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules.iter().map(|rule| description(*rule)).collect::<Vec<_>>(),
                },
            },
            "columnKind": "unicodeCodePoints",
            "artifacts": report.files().iter().map(artifact).collect::<Vec<_>>(),
            "results": results,
        }],
    });
    let mut output = Output::new();
    output.json_line(&document)?;
    output.flush()
}

fn description(rule: Rule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": { "text": rule.summary() },
        "help": { "text": rule.remedy() },
        "defaultConfiguration": { "level": rule.severity().as_str() },
        "properties": { "source": rule.authority().to_string() },
    })
}

fn artifact(file: &FileReport) -> Value {
    json!({ "location": { "uri": uri(file.name()) } })
}

fn result(file: &FileReport, finding: &Finding, rules: &[Rule]) -> Value {
    let (rule, start) = (finding.rule(), finding.span().start);
    json!({
        "ruleId": rule.id(),
        "ruleIndex": rules.iter().position(|known| *known == rule),
        "level": finding.severity().as_str(),
        "message": { "text": format!("{}; {}", finding.message(), rule.remedy()) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri(file.name()) },
                "region": { "startLine": start.line, "startColumn": start.column },
            },
        }],
    })
}

/// Returns a file name as a URI reference. A URL stays unchanged, and a path is percent-encoded.
fn uri(name: &str) -> String {
    if name.starts_with("http://") || name.starts_with("https://") {
        return name.to_owned();
    }
    let mut uri = String::new();
    for (at, segment) in Path::new(name).components().enumerate() {
        let segment = segment.as_os_str();
        if segment == "/" {
            uri.push_str("file://");
            continue;
        }
        if at > 0 {
            uri.push('/');
        }
        percent::push_encoded(&mut uri, segment.as_encoded_bytes());
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_uri_references() {
        assert_eq!(uri("public/a b.xml"), "public/a%20b.xml");
        assert_eq!(uri("https://example.com/a?b"), "https://example.com/a?b");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
        #[cfg(unix)]
        assert_eq!(uri("/tmp/ü.xml"), "file:///tmp/%C3%BC.xml");
    }
}
