//! Findings for people, in the layout of rustc.

use std::path::Path;

use sitemap_read::{FileReport, Finding, ReadLimits, Report, Severity};

use super::by_rule::{by_rule, table};
use super::excerpt::Excerpt;
use super::region;
use super::source_text::Windows;
use crate::args::{CheckArgs, CheckFormat};
use crate::error::Outcome;
use crate::number::{counted, grouped};
use crate::output::Output;
use crate::page_table::PageTable;
use crate::source::Documents;
use crate::terminal::{Ink, Paint, columns, say};

pub(super) fn print(
    output: &mut Output,
    report: &Report,
    baseline: Option<&Path>,
    documents: &Documents,
    limits: &ReadLimits,
    pages: Option<&PageTable>,
    paint: Paint,
) -> Outcome<()> {
    let width = columns();
    for file in report.files() {
        let mut windows = region::windows(file, documents, limits);
        for finding in file.findings() {
            print_one(output, file, finding, windows.as_mut(), paint, width)?;
        }
    }
    let rows = by_rule(report);
    if rows.iter().map(|row| row.findings).sum::<u64>() > 1 {
        for line in table(&rows, pages) {
            output.line(&line)?;
        }
        output.line("")?;
    }
    for (rule, count) in report.omitted() {
        let line = format!("and {} more of `{rule}`; see them with `--max-findings 0`", grouped(count));
        output.line(&paint.ink(Ink::Strong, &line))?;
    }
    if let Some(table) = pages {
        for line in table.text.lines().chain([""]) {
            output.line(line)?;
        }
    }
    for line in totals(report, baseline, paint) {
        output.line(&line)?;
    }
    output.flush()
}

const fn ink(severity: Severity) -> Ink {
    match severity {
        Severity::Error => Ink::Error,
        Severity::Warning => Ink::Warning,
        Severity::Note => Ink::Note,
    }
}

fn print_one(
    output: &mut Output,
    file: &FileReport,
    finding: &Finding,
    windows: Option<&mut Windows>,
    paint: Paint,
    width: usize,
) -> Outcome<()> {
    let (rule, severity, span) = (finding.rule(), finding.severity(), finding.span());
    let title = paint.ink(ink(severity), &format!("{severity}[{rule}]"));
    output.line(&format!("{title}{}", paint.ink(Ink::Strong, &format!(": {}", finding.full_message()))))?;
    let number = span.start.line.to_string();
    let margin = " ".repeat(number.len());
    let frame = |text: &str| paint.ink(Ink::Frame, text);
    output.line(&format!("{margin}{} {}:{}", frame("-->"), file.name(), span.start))?;
    if let Some(line) = windows.and_then(|windows| windows.line(span.start.offset, span.len)) {
        let excerpt = Excerpt::new(&line, width.saturating_sub(number.len() + 3));
        let carets = paint.ink(ink(severity), &"^".repeat(excerpt.carets));
        output.line(&format!("{margin} {}", frame("|")))?;
        output.line(format!("{} {}", frame(&format!("{number} |")), excerpt.text).trim_end())?;
        output.line(&format!("{margin} {} {}{carets}", frame("|"), " ".repeat(excerpt.indent)))?;
    }
    output.line(&format!("{margin} {} help: {}", frame("="), rule.remedy()))?;
    output.line(&format!("{margin} {} source: {}\n", frame("="), rule.authority()))
}

/// Prints a note to stderr if the folder contains sitemaps that its `sitemap.xml` does not list. These may be old files
/// that a set keeps for a while.
pub(super) fn unlisted(files: usize, folder: &str, paint: Paint) {
    if files > 0 {
        let are = if files == 1 { "is" } else { "are" };
        let (note, files) = (paint.ink(Ink::Note, "note"), counted(files as u64, "file"));
        say(&format!("{note}: {files} in `{folder}` {are} not listed by its `sitemap.xml`"));
    }
}

/// Returns the last lines of a report: the number of findings, files and pages, and how many findings it omits.
fn totals(report: &Report, baseline: Option<&Path>, paint: Paint) -> Vec<String> {
    let counts = counted_by(report, paint);
    let found = if counts.is_empty() { "no findings".to_owned() } else { counts.join(", ") };
    let (files, pages) = (counted(report.files().len() as u64, "file"), counted(report.pages(), "page"));
    let mut lines = vec![format!("{found} in {files} with {pages}")];
    let allowed = report.allowed();
    if !allowed.is_empty() {
        let rules: Vec<String> =
            allowed.iter().map(|(rule, count)| format!("{} `{rule}`", grouped(*count))).collect();
        let total = counted(allowed.values().sum(), "finding");
        lines.push(format!("{total} allowed: {}", rules.join(", ")));
    }
    if let (Some(path), Some(stale)) = (baseline, report.stale()) {
        let known = counted(report.known().values().sum(), "finding");
        lines.push(format!("{known} known from `{}`", path.display()));
        if !stale.is_empty() {
            let stale = counted(stale.findings(), "finding");
            lines.push(format!(
                "{stale} of `{0}` not found again; remove with `--write-baseline {0}`",
                path.display()
            ));
        }
    }
    lines
}

/// Prints to stderr what doesn't belong to the report, and the totals if the format has no place for them.
/// `is_complete` is false if some sitemaps could not be read.
pub(super) fn summary(report: &Report, args: &CheckArgs, is_complete: bool, paint: Paint) {
    if args.format != CheckFormat::Human {
        for line in totals(report, args.rules.baseline.as_deref(), paint) {
            say(&line);
        }
    }
    if let (Some(path), Some(_), false) = (&args.rules.write_baseline, report.recorded(), is_complete) {
        say(&format!("`{}` is not written, because the result is incomplete", path.display()));
    } else if let (Some(path), Some(recorded)) = (&args.rules.write_baseline, report.recorded()) {
        say(&format!("{} written to `{}`", counted(recorded.findings(), "finding"), path.display()));
    }
    if report.worst().is_some() && matches!(args.format, CheckFormat::Human | CheckFormat::Github) {
        let help = paint.ink(Ink::Note, "help");
        say(&format!(
            "{help}: `--explain RULE` explains a rule, and `--allow RULE` or `sitemap.toml` switches it off"
        ));
    }
}

/// Returns the number of errors, warnings and notes. Skips numbers that are zero.
pub(super) fn counts(report: &Report) -> Vec<String> {
    counted_by(report, Paint::default())
}

fn counted_by(report: &Report, paint: Paint) -> Vec<String> {
    [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .map(|severity| (severity, report.count(severity)))
        .filter(|(_, count)| *count > 0)
        .map(|(severity, count)| paint.ink(ink(severity), &counted(count, severity.as_str())))
        .collect()
}
