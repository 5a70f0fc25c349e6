//! The findings of a report, counted by rule.

use std::collections::BTreeMap;

use sitemap_read::{Report, Rule, Severity};

use crate::number::{counted, grouped};
use crate::page_table::PageTable;

/// How often a rule is broken.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleCount {
    pub(super) rule: Rule,
    pub(super) severity: Severity,
    pub(super) findings: u64,
    pub(super) files: u64,
}

/// Returns a row for each rule: errors first, and the most frequent rules first.
pub(super) fn by_rule(report: &Report) -> Vec<RuleCount> {
    let mut counts: BTreeMap<(Severity, Rule), (u64, u64)> = BTreeMap::new();
    for file in report.files() {
        for (rule, count) in file.counts() {
            let severity = file.severity(rule).unwrap_or(rule.severity());
            let (findings, files) = counts.entry((severity, rule)).or_default();
            (*findings, *files) = (*findings + count, *files + 1);
        }
    }
    let row = |((severity, rule), (findings, files))| RuleCount { rule, severity, findings, files };
    let mut rows: Vec<_> = counts.into_iter().map(row).collect();
    rows.sort_by(|one, two| two.severity.cmp(&one.severity).then(two.findings.cmp(&one.findings)));
    rows
}

/// Returns the rows as a table for people.
pub(super) fn table(rows: &[RuleCount], pages: Option<&PageTable>) -> Vec<String> {
    let width = rows.iter().map(|row| grouped(row.findings).len()).max().unwrap_or_default();
    let line = |row: &RuleCount| {
        let RuleCount { rule, severity, findings, files } = *row;
        let place = if files > 1 { format!(" in {}", counted(files, "file")) } else { String::new() };
        let cause = causes(rule, pages).map(|cause| format!(", {cause}")).unwrap_or_default();
        format!("{:>width$}  {:<7}  {rule}{place}{cause}", grouped(findings), severity.as_str())
    };
    rows.iter().map(line).collect()
}

/// Names the pages that must be repaired, if findings of a rule follow from other pages.
pub(super) fn causes(rule: Rule, pages: Option<&PageTable>) -> Option<String> {
    let causes = *pages?.causes.get(&rule)?;
    Some(format!("because {} cannot be indexed", counted(causes, "page")))
}
