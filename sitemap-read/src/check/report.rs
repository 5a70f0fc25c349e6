//! What a check came to.

use std::collections::BTreeMap;

use crate::read::{Document, Finding};
use crate::rule::{Rule, Severity};
use sitemap_core::Loc;

use super::options::CheckOptions;

/// What a check came to: the files in the order they were read, each with its findings.
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
    /// The files, in the order they were read.
    #[must_use]
    pub fn files(&self) -> &[FileReport] {
        &self.files
    }

    /// The findings with their files, in the order of files and places.
    pub fn findings(&self) -> impl Iterator<Item = (&FileReport, &Finding)> {
        self.files.iter().flat_map(|file| file.findings.iter().map(move |finding| (file, finding)))
    }

    /// How many findings there were of a severity, kept or not.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.files.iter().map(|file| file.count(severity)).sum()
    }

    /// How many findings there were of each rule, kept or not.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Rule, u64> {
        let mut counts = BTreeMap::new();
        for (rule, count) in self.files.iter().flat_map(FileReport::counts) {
            *counts.entry(rule).or_default() += count;
        }
        counts
    }

    /// How many findings were counted but not kept, by rule: the `and 17 more` of each.
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

    /// The worst severity there is.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        [Severity::Error, Severity::Warning, Severity::Note]
            .into_iter()
            .find(|&severity| self.count(severity) > 0)
    }

    /// Entries of all files but the indexes: the pages of the set.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.files.iter().filter(|file| !file.is_index()).map(FileReport::entries).sum()
    }
}

/// What was found in one file.
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
    /// Its name, as the caller gave it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it is served, if that is known.
    #[must_use]
    pub const fn served_at(&self) -> Option<&Loc<'static>> {
        self.served_at.as_ref()
    }

    /// What it is; `None` if it is no sitemap.
    #[must_use]
    pub const fn document(&self) -> Option<Document> {
        self.document
    }

    /// How many entries it has, good and bad.
    #[must_use]
    pub const fn entries(&self) -> u64 {
        self.entries
    }

    /// How many bytes it has, once decompressed.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What was found, by place.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How many findings there were of a severity, kept or not.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts()
            .filter(|&(rule, _)| effective(rule, self.strict) == severity)
            .map(|(_, count)| count)
            .sum()
    }

    /// How many findings there were of each rule, kept or not.
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

/// Which file of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId(pub(super) u32);

/// A report in the making.
#[derive(Debug, Default)]
pub(super) struct Drawer {
    report: Report,
    kept: BTreeMap<Rule, u64>,
}

impl Drawer {
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

    /// Whether findings of the rule are wanted at all.
    pub(super) fn wants(rule: Rule, options: &CheckOptions) -> bool {
        let engines = rule.engines();
        (engines.is_empty() || engines.iter().any(|&engine| options.engines.has(engine)))
            && !options.without.contains(&rule)
    }

    /// Whether another finding of the rule would be kept.
    pub(super) fn has_room(&self, rule: Rule, options: &CheckOptions) -> bool {
        self.kept.get(&rule).copied().unwrap_or_default() < options.findings_per_rule
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
        if *kept < options.findings_per_rule {
            *kept += 1;
            file.findings.push(finding.with_severity(effective(rule, file.strict)));
        }
    }

    /// Counts findings that nobody kept.
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
