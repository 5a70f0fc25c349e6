//! The result of a check.

use std::collections::BTreeMap;

use crate::read::{Document, Finding};
use crate::rule::{Rule, Severity};
use sitemap_core::Loc;

use super::options::CheckOptions;

/// The result of a check: the files in the order of reading, each with its findings.
///
/// ```
/// use sitemap_read::{CheckOptions, Checker, Severity};
///
/// let mut checker = Checker::new(CheckOptions::new());
/// checker.check_slice("a.xml", b"<urlset><url><loc>https://example.com/</loc></url></urlset>")?;
/// let report = checker.finish();
/// assert_eq!(report.count(Severity::Error), 1);
/// for (file, finding) in report.findings() {
///     assert!(format!("{}:{finding}", file.name()).starts_with("a.xml:1:1: error[namespace-missing]: "));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Report {
    files: Vec<FileReport>,
}

impl Report {
    /// Returns the files in the order of reading.
    #[must_use]
    pub fn files(&self) -> &[FileReport] {
        &self.files
    }

    /// Returns each finding with its file. The findings are sorted by file, and within a file by position.
    pub fn findings(&self) -> impl Iterator<Item = (&FileReport, &Finding)> {
        self.files.iter().flat_map(|file| file.findings.iter().map(move |finding| (file, finding)))
    }

    /// Returns the number of findings of a severity in all files, including findings that were counted but not kept.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.files.iter().map(|file| file.count(severity)).sum()
    }

    /// Returns the number of findings of each rule, including findings that were counted but not kept.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Rule, u64> {
        let mut counts = BTreeMap::new();
        for (rule, count) in self.files.iter().flat_map(FileReport::counts) {
            *counts.entry(rule).or_default() += count;
        }
        counts
    }

    /// Returns the number of findings of each rule that were counted but not kept. A program can print this number in a
    /// line such as `and 17 more`.
    #[must_use]
    pub fn omitted(&self) -> BTreeMap<Rule, u64> {
        let mut omitted = self.counts();
        for (_, finding) in self.findings() {
            if let Some(count) = omitted.get_mut(&finding.rule()) {
                *count = count.saturating_sub(1);
            }
        }
        omitted.retain(|_, count| *count > 0);
        omitted
    }

    /// Returns the highest severity of all findings, or `None` if there are no findings.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        [Severity::Error, Severity::Warning, Severity::Note]
            .into_iter()
            .find(|&severity| self.count(severity) > 0)
    }

    /// Returns the number of pages in the set: the entries of all files that are not indexes.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.files.iter().filter(|file| !file.is_index()).map(FileReport::entries).sum()
    }
}

/// The findings of one file, with its name, kind and size.
///
/// ```
/// use sitemap_read::{CheckOptions, Checker, DocumentKind, Rule, Severity};
///
/// let mut checker = Checker::new(CheckOptions::new());
/// checker.check_slice("urls.txt", b"https://example.com/\nhttps://example.com/#top\n")?;
/// let report = checker.finish();
///
/// let file = &report.files()[0];
/// assert_eq!((file.name(), file.served_at()), ("urls.txt", None));
/// assert_eq!(file.document().unwrap().kind, DocumentKind::Text);
/// assert_eq!((file.entries(), file.bytes()), (2, 46));
/// assert_eq!(file.findings()[0].rule(), Rule::LocFragment);
/// assert_eq!(file.count(Severity::Warning), 1);
/// assert_eq!(file.counts().next(), Some((Rule::LocFragment, 1)));
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileReport {
    name: Box<str>,
    served_at: Option<Loc<'static>>,
    document: Option<Document>,
    entries: u64,
    bytes: u64,
    findings: Vec<Finding>,
    counts: BTreeMap<Rule, u64>,
    strict: bool,
}

impl FileReport {
    /// Returns the file's name, as the caller gave it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the URL that serves the file, if it is known.
    #[must_use]
    pub const fn served_at(&self) -> Option<&Loc<'static>> {
        self.served_at.as_ref()
    }

    /// Returns the kind and encoding of the file, or `None` if it is not a sitemap.
    #[must_use]
    pub const fn document(&self) -> Option<Document> {
        self.document
    }

    /// Returns the number of entries, valid and invalid.
    #[must_use]
    pub const fn entries(&self) -> u64 {
        self.entries
    }

    /// Returns the number of bytes that were read, counted after decompression.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the findings in the order of their positions.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the number of findings of a severity, including findings that were counted but not kept.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts()
            .filter(|&(rule, _)| effective(rule, self.strict) == severity)
            .map(|(_, count)| count)
            .sum()
    }

    /// Returns the number of findings of each rule, including findings that were counted but not kept.
    pub fn counts(&self) -> impl Iterator<Item = (Rule, u64)> + '_ {
        self.counts.iter().map(|(&rule, &count)| (rule, count))
    }

    fn is_index(&self) -> bool {
        self.document.is_some_and(|document| document.kind == crate::read::DocumentKind::Index)
    }
}

fn effective(rule: Rule, strict: bool) -> Severity {
    match rule.severity() {
        Severity::Warning if strict => Severity::Error,
        severity => severity,
    }
}

/// The position of a file in a report, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId(pub(super) u32);

/// A report under construction.
#[derive(Debug, Default)]
pub(super) struct ReportBuilder {
    report: Report,
    kept: BTreeMap<Rule, u64>,
}

impl ReportBuilder {
    pub(super) fn begin(&mut self, name: Box<str>, served_at: Option<Loc<'static>>, strict: bool) -> FileId {
        let id = FileId(u32::try_from(self.report.files.len()).unwrap_or(u32::MAX));
        self.report.files.push(FileReport {
            name,
            served_at,
            document: None,
            entries: 0,
            bytes: 0,
            findings: Vec::new(),
            counts: BTreeMap::new(),
            strict,
        });
        id
    }

    pub(super) fn measure(&mut self, id: FileId, document: Option<Document>, entries: u64, bytes: u64) {
        if let Some(file) = self.report.files.get_mut(id.0 as usize) {
            (file.document, file.entries, file.bytes) = (document, entries, bytes);
        }
    }

    pub(super) fn name(&self, id: FileId) -> &str {
        self.report.files.get(id.0 as usize).map_or("", |file| &file.name)
    }

    /// Returns `true` if the options enable the rule.
    pub(super) fn wants(rule: Rule, options: &CheckOptions) -> bool {
        let engines = rule.engines();
        (engines.is_empty() || engines.iter().any(|&engine| options.engines.has(engine)))
            && !options.without.contains(&rule)
    }

    /// Returns `true` if the report would keep another finding of the rule.
    pub(super) fn has_room(&self, rule: Rule, options: &CheckOptions) -> bool {
        self.kept.get(&rule).copied().unwrap_or_default() < options.max_findings_per_rule
    }

    pub(super) fn add(&mut self, id: FileId, finding: Finding, options: &CheckOptions) {
        let rule = finding.rule();
        if !Self::wants(rule, options) {
            return;
        }
        let Some(file) = self.report.files.get_mut(id.0 as usize) else {
            return;
        };
        *file.counts.entry(rule).or_default() += 1;
        let kept = self.kept.entry(rule).or_default();
        if *kept < options.max_findings_per_rule {
            *kept += 1;
            file.findings.push(finding.with_severity(effective(rule, file.strict)));
        }
    }

    /// Counts findings of a rule without keeping them.
    pub(super) fn count(&mut self, id: FileId, rule: Rule, count: u64) {
        if let Some(file) = self.report.files.get_mut(id.0 as usize) {
            *file.counts.entry(rule).or_default() += count;
        }
    }

    pub(super) fn finish(mut self) -> Report {
        for file in &mut self.report.files {
            file.findings.sort_by_key(|finding| finding.span().start.offset);
        }
        self.report
    }
}
