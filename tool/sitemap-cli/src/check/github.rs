//! Findings as annotations of a GitHub workflow: log lines that GitHub shows next to the affected lines of a file.
//!
//! Source: [GitHub, workflow commands](https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).

use sitemap_read::{FileReport, Finding, ReadLimits, Report, Severity};

use super::region::{end_column, is_not_a_path, windows};
use super::source_text::Windows;
use crate::error::Outcome;
use crate::number::grouped;
use crate::output::Output;
use crate::source::Documents;

pub(super) fn print(
    output: &mut Output,
    report: &Report,
    documents: &Documents,
    limits: &ReadLimits,
) -> Outcome<()> {
    for file in report.files() {
        let mut lines = windows(file, documents, limits);
        for finding in file.findings() {
            output.line(&annotation(file, finding, lines.as_mut()))?;
        }
    }
    for (rule, count) in report.omitted() {
        output.line(&format!("and {} more of `{rule}`; see them with `--max-findings 0`", grouped(count)))?;
    }
    output.flush()
}

fn annotation(file: &FileReport, finding: &Finding, lines: Option<&mut Windows>) -> String {
    let command = match finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let (rule, start) = (finding.rule(), finding.span().start);
    let message = format!("{}; {}", finding.full_message(), rule.remedy());
    if is_not_a_path(file.name()) {
        // GitHub shows annotations only for files in the repository, so the message repeats the place.
        let message = data(&format!("{}:{start}: {message}", file.name()));
        return format!("::{command} title={rule}::{message}");
    }
    // The end column is inclusive.
    let end = end_column(finding, lines).map_or(start.column, |end| end - 1);
    format!(
        "::{command} title={rule},file={},line={line},endLine={line},col={},endColumn={end}::{}",
        property(file.name()),
        start.column,
        data(&message),
        line = start.line,
    )
}

/// Escapes a message as `@actions/core` does.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property as `@actions/core` does.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_cannot_start_another_command() {
        assert_eq!(data("a\r\n::error::b 50%, c:d"), "a%0D%0A::error::b 50%25, c:d");
        assert_eq!(property("a,b:c%\n.xml"), "a%2Cb%3Ac%25%0A.xml");
    }
}
