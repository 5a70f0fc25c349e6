//! Findings as a Markdown table by rule and file, for a job summary.

use std::collections::BTreeMap;

use sitemap_read::{FileReport, Finding, Report, Rule, Severity};

use super::by_rule::causes;
use super::human::counts;

use crate::error::Outcome;
use crate::number::{counted, grouped};
use crate::output::Output;
use crate::page_table::PageTable;

/// The maximum number of rows. GitHub rejects a summary larger than 1 MiB.
const MAX_ROWS: usize = 1_000;

/// The findings of one rule in one file.
struct Row<'r> {
    rule: Rule,
    file: &'r FileReport,
    severity: Severity,
    count: u64,
    first: Option<&'r Finding>,
}

pub(super) fn print(output: &mut Output, report: &Report, table: Option<&PageTable>) -> Outcome<()> {
    let counts = counts(report);
    let title = if counts.is_empty() { "no findings".to_owned() } else { counts.join(", ") };
    output.line(&format!("### Sitemap check: {title}\n"))?;
    let (files, pages) = (report.files().len() as u64, report.pages());
    output.line(&format!("{} with {}", counted(files, "file"), counted(pages, "page")))?;
    let rows = rows(report);
    if !rows.is_empty() {
        output.line(
            "\n| severity | rule | section | file | findings | first finding |\n|---|---|---|---|--:|---|",
        )?;
    }
    for row in rows.iter().take(MAX_ROWS) {
        output.line(&line(row))?;
    }
    if let Some(more) = rows.len().checked_sub(MAX_ROWS).filter(|more| *more > 0) {
        output.line(&format!("\nand {} more rows", grouped(more as u64)))?;
    }
    for rule in report.counts().into_keys() {
        if let Some(cause) = causes(rule, table) {
            output.line(&format!("\n`{rule}`: {cause}"))?;
        }
    }
    if !rows.is_empty() {
        output.line("\n`--allow RULE` or `sitemap.toml` switches a rule off.")?;
    }
    for line in table.iter().flat_map(|table| table.markdown(escaped)) {
        output.line(&line)?;
    }
    for (name, counts) in [("allowed", report.allowed()), ("known from the baseline", report.known())] {
        if !counts.is_empty() {
            let rules: Vec<String> =
                counts.iter().map(|(rule, count)| format!("{} `{rule}`", grouped(*count))).collect();
            let total = counted(counts.values().sum(), "finding");
            output.line(&format!("\n{total} {name}: {}", rules.join(", ")))?;
        }
    }
    output.flush()
}

/// Returns a row for each rule and file, errors first.
fn rows(report: &Report) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for file in report.files() {
        let mut first: BTreeMap<Rule, &Finding> = BTreeMap::new();
        for finding in file.findings() {
            first.entry(finding.rule()).or_insert(finding);
        }
        rows.extend(file.counts().map(|(rule, count)| Row {
            rule,
            file,
            severity: file.severity(rule).unwrap_or(rule.severity()),
            count,
            first: first.get(&rule).copied(),
        }));
    }
    rows.sort_by(|one, two| two.severity.cmp(&one.severity).then(one.rule.cmp(&two.rule)));
    rows
}

fn line(row: &Row<'_>) -> String {
    let (rule, first) = (row.rule, row.first);
    let first =
        first.map(|first| format!("{}: {}; {}", first.span().start, first.full_message(), rule.remedy()));
    format!(
        "| {} | [{rule}]({}) | {} | {} | {} | {} |",
        row.severity,
        rule.url(),
        escaped(row.file.section()),
        escaped(row.file.name()),
        grouped(row.count),
        escaped(&first.unwrap_or_else(|| rule.summary().to_owned()))
    )
}

/// Escapes all Markdown punctuation, and the characters that would turn a URL into a link.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            // Uses a character reference, because some renderers show the backslash before `&` and `<`.
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            ch if ch.is_control() => escaped.push(' '),
            ch if ch.is_ascii_punctuation() && !matches!(ch, ',' | ';' | '\'' | '"' | '-') => {
                escaped.extend(['\\', ch]);
            }
            ch => escaped.push(ch),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_no_markup() {
        assert_eq!(
            escaped("a|b `c` <img> [x](y) *z* https://a.io\n# d"),
            "a\\|b \\`c\\` &lt;img&gt; \\[x\\]\\(y\\) \\*z\\* https\\:\\/\\/a\\.io \\# d"
        );
    }
}
