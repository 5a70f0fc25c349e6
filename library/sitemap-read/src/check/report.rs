//! The result of a check.

use std::collections::BTreeMap;

use crate::read::{Document, Finding};
use crate::rule::{Rule, Severity};
use crate::section::section_of;
use sitemap_core::Loc;

use super::baseline::{Baseline, Known};
use super::file_id::FileId;
use super::levels::{Severities, SeverityTables};
use super::log::Room;
use super::options::CheckOptions;
use super::recent::is_recent;
use super::sink::Collect;

/// The result of a check. It contains the files in the order they were read, each with its findings.
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
    recorded: Option<Baseline>,
    stale: Option<Baseline>,
}

impl Report {
    /// Returns the files in the order they were read.
    #[must_use]
    pub fn files(&self) -> &[FileReport] {
        &self.files
    }

    /// Returns all findings, each with its file. They are sorted by file, then by position.
    pub fn findings(&self) -> impl Iterator<Item = (&FileReport, &Finding)> {
        self.files.iter().flat_map(|file| file.findings.iter().map(move |finding| (file, finding)))
    }

    /// Returns the number of findings with this severity in all files, including findings that were counted but not
    /// kept.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.files.iter().map(|file| file.count(severity)).sum()
    }

    /// Returns the number of findings per rule, including findings that were counted but not kept.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Rule, u64> {
        sum(self.files.iter().flat_map(FileReport::counts))
    }

    /// Returns the number of findings per rule that the [levels](crate::Levels) allow. The other counts don't include
    /// them.
    #[must_use]
    pub fn allowed(&self) -> BTreeMap<Rule, u64> {
        sum(self.files.iter().flat_map(FileReport::allowed))
    }

    /// Returns the number of findings per rule that the [baseline](crate::Baseline) already contains. Apart from
    /// [`recorded`](Self::recorded), nothing else in the report includes them.
    #[must_use]
    pub fn known(&self) -> BTreeMap<Rule, u64> {
        sum(self.files.iter().flat_map(FileReport::known))
    }

    /// Returns the baseline's findings that no longer occur, or `None` if there is no baseline.
    #[must_use]
    pub const fn stale(&self) -> Option<&Baseline> {
        self.stale.as_ref()
    }

    /// Returns all new and known findings, without the allowed ones, if the options ask the checker to
    /// [record](crate::CheckOptions::record_baseline) them.
    #[must_use]
    pub const fn recorded(&self) -> Option<&Baseline> {
        self.recorded.as_ref()
    }

    /// Returns the number of findings per rule that were counted but not kept. A program can print it as `and 17 more`.
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

    /// Adds findings from elsewhere, such as findings about pages. The closure `add` receives a function and calls it
    /// with each finding and the index of its file in [`files`](Self::files). Returns the value that `add` returns.
    ///
    /// The options apply to these findings as they do to the checker's own. The findings of a file stay sorted by
    /// position, and findings at the same position keep their order. If the index is beyond the last file, the finding
    /// goes to the last file.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker, Finding, Position, Rule, Severity, Span};
    ///
    /// let options = CheckOptions::new().strict(true).max_findings_per_rule(1);
    /// let mut checker = Checker::new(options.clone());
    /// checker.check_slice("sitemap.txt", b"https://example.com/a\nhttps://example.com/b\n")?;
    /// let mut report = checker.finish();
    ///
    /// report.add_findings(&options, |add| {
    ///     let first_line = Span::new(Position::new(0, 1, 1), 21);
    ///     add(0, Finding::new(Rule::PageRefresh, first_line, "the page refreshes to \"/b\""));
    ///     add(0, Finding::new(Rule::PageRefresh, first_line, "the page refreshes to \"/c\""));
    /// });
    /// assert_eq!(report.findings().count(), 1);
    /// assert_eq!((report.count(Severity::Error), report.omitted()[&Rule::PageRefresh]), (2, 1));
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn add_findings<R>(
        &mut self,
        options: &CheckOptions,
        add: impl FnOnce(&mut dyn FnMut(usize, Finding)) -> R,
    ) -> R {
        let mut builder = ReportBuilder::continuing(std::mem::take(self));
        let last = builder.report.files.len().saturating_sub(1);
        let result = add(&mut |file, finding| {
            builder.add(FileId(u32::try_from(file.min(last)).unwrap_or(u32::MAX)), finding, options);
        });
        *self = builder.finish();
        result
    }

    /// Reduces the places of findings to their lines, in the files whose names `files` selects. Use this for a list that
    /// was converted to a sitemap with the same lines, because only the lines are the same.
    ///
    /// ```
    /// use sitemap_read::{CheckOptions, Checker};
    ///
    /// let mut checker = Checker::new(CheckOptions::new());
    /// checker.check_slice("pages.csv", b"\n  https://example.com/#top\n")?;
    /// let mut report = checker.finish();
    /// report.keep_only_lines(|name| name.ends_with(".csv"));
    /// let span = report.findings().next().unwrap().1.span();
    /// assert_eq!((span.start.line, span.start.column, span.len), (2, 1, 0));
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn keep_only_lines(&mut self, files: impl Fn(&str) -> bool) {
        for file in self.files.iter_mut().filter(|file| files(&file.name)) {
            let all = file.findings.iter_mut().chain(&mut file.known_findings);
            all.for_each(Finding::keep_only_line);
        }
    }

    /// Returns the number of pages in the set, which is the number of entries in all files except indexes. Files of the
    /// [recent section](sitemap_core::publish::files::RECENT) aren't counted, because they repeat entries of other
    /// files.
    #[must_use]
    pub fn pages(&self) -> u64 {
        let is_counted =
            |file: &&FileReport| !file.is_index() && !is_recent(file.served_at.as_ref(), &file.name);
        self.files.iter().filter(is_counted).map(FileReport::entries).sum()
    }
}

fn sum(counts: impl Iterator<Item = (Rule, u64)>) -> BTreeMap<Rule, u64> {
    let mut sums = BTreeMap::new();
    for (rule, count) in counts {
        *sums.entry(rule).or_default() += count;
    }
    sums
}

/// One file with its findings, name, kind and size.
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
    allowed: BTreeMap<Rule, u64>,
    known: BTreeMap<Rule, u64>,
    known_findings: Vec<Finding>,
    severities: Severities,
}

impl FileReport {
    /// Returns the file's name, as passed to the checker.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the [section](crate::section_of) of the file, from its name.
    #[must_use]
    pub fn section(&self) -> &str {
        let path = self.name.split(['?', '#']).next().unwrap_or_default();
        section_of(path.rsplit(['/', '\\']).next().unwrap_or_default())
    }

    /// Returns the URL that serves the file, if known.
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

    /// Returns the number of bytes that were read, after decompression.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the findings, sorted by position.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the number of findings with this severity, including findings that were counted but not kept.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts()
            .filter(|&(rule, _)| self.severities.of(rule) == Some(severity))
            .map(|(_, count)| count)
            .sum()
    }

    /// Returns the number of findings per rule, including findings that were counted but not kept.
    pub fn counts(&self) -> impl Iterator<Item = (Rule, u64)> + '_ {
        self.counts.iter().map(|(&rule, &count)| (rule, count))
    }

    /// Returns the number of findings per rule that the [levels](crate::Levels) allow.
    pub fn allowed(&self) -> impl Iterator<Item = (Rule, u64)> + '_ {
        self.allowed.iter().map(|(&rule, &count)| (rule, count))
    }

    /// Returns the number of findings per rule that the [baseline](crate::Baseline) already contains.
    pub fn known(&self) -> impl Iterator<Item = (Rule, u64)> + '_ {
        self.known.iter().map(|(&rule, &count)| (rule, count))
    }

    /// Returns the severity of the rule in this file, or `None` if the [levels](crate::Levels) allow it.
    #[must_use]
    pub fn severity(&self, rule: Rule) -> Option<Severity> {
        self.severities.of(rule)
    }

    /// Returns the findings that the [baseline](crate::Baseline) already contains, sorted by position. The limit of
    /// findings per rule applies to them separately in each file. [`known`](Self::known) counts all of them.
    #[must_use]
    pub fn known_findings(&self) -> &[Finding] {
        &self.known_findings
    }

    fn is_index(&self) -> bool {
        self.document.is_some_and(|document| document.kind == crate::read::DocumentKind::Index)
    }
}

/// A report under construction.
#[derive(Debug, Default)]
pub(super) struct ReportBuilder {
    report: Report,
    kept: BTreeMap<Rule, u64>,
    tables: SeverityTables,
}

impl ReportBuilder {
    /// Creates a builder that continues a finished report.
    fn continuing(report: Report) -> Self {
        let mut kept = BTreeMap::new();
        for (_, finding) in report.findings() {
            *kept.entry(finding.rule()).or_default() += 1;
        }
        Self { report, kept, tables: SeverityTables::default() }
    }

    /// Creates a builder. Findings in the baseline count as known. With `record`, the report records all findings.
    pub(super) fn new(baseline: Option<Baseline>, record: bool) -> Self {
        let report = Report { files: Vec::new(), recorded: record.then(Baseline::new), stale: baseline };
        Self { report, ..Self::default() }
    }

    pub(super) fn begin(
        &mut self,
        name: Box<str>,
        served_at: Option<Loc<'static>>,
        options: &CheckOptions,
    ) -> FileId {
        let id = FileId(u32::try_from(self.report.files.len()).unwrap_or(u32::MAX));
        let severities = self.tables.of_file(&name, &options.layers, options.strict);
        self.report.files.push(FileReport {
            name,
            served_at,
            document: None,
            entries: 0,
            bytes: 0,
            findings: Vec::new(),
            counts: BTreeMap::new(),
            allowed: BTreeMap::new(),
            known: BTreeMap::new(),
            known_findings: Vec::new(),
            severities,
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

    /// Returns `true` if the report keeps any of the file's findings, new or known.
    pub(super) fn keeps_findings(&self, id: FileId) -> bool {
        let file = self.report.files.get(id.0 as usize);
        file.is_some_and(|file| !file.findings.is_empty() || !file.known_findings.is_empty())
    }

    /// Returns `true` if the report needs the next finding of the rule in full, to keep it or to compare it with the
    /// baseline.
    fn has_room(&self, id: FileId, rule: Rule, options: &CheckOptions) -> bool {
        self.room_of(id, rule, options) > 0
    }

    fn room_of(&self, id: FileId, rule: Rule, options: &CheckOptions) -> u64 {
        let is_allowed =
            self.report.files.get(id.0 as usize).is_none_or(|file| file.severities.of(rule).is_none());
        let has_baseline = self.report.stale.is_some() || self.report.recorded.is_some();
        match () {
            () if is_allowed => 0,
            () if has_baseline => Room::ENDLESS,
            () => {
                let kept = self.kept.get(&rule).copied().unwrap_or_default();
                options.max_findings_per_rule.saturating_sub(kept)
            }
        }
    }

    /// Returns how many more findings of each rule the file can add.
    pub(super) fn room(&self, id: FileId, options: &CheckOptions) -> Room {
        Room::new(|rule| self.room_of(id, rule, options))
    }

    /// Returns a collection that adds findings to a file in the report.
    pub(super) fn file<'r>(&'r mut self, id: FileId, options: &'r CheckOptions) -> FileFindings<'r> {
        FileFindings { report: self, id, options }
    }

    fn keeps(&self, rule: Rule, options: &CheckOptions) -> bool {
        self.kept.get(&rule).copied().unwrap_or_default() < options.max_findings_per_rule
    }

    pub(super) fn add(&mut self, id: FileId, finding: Finding, options: &CheckOptions) {
        let rule = finding.rule();
        if !options.wants(rule) {
            return;
        }
        let keeps = self.keeps(rule, options);
        let Some(file) = self.report.files.get_mut(id.0 as usize) else {
            return;
        };
        let Some(severity) = file.severities.of(rule) else {
            *file.allowed.entry(rule).or_default() += 1;
            return;
        };
        if let Some(recorded) = &mut self.report.recorded {
            recorded.add(Known { file: &file.name, rule, message: &finding.full_message(), count: 1 });
        }
        if let Some(baseline) = &mut self.report.stale
            && baseline.take(Known { file: &file.name, rule, message: &finding.full_message(), count: 1 }) > 0
        {
            let known = file.known.entry(rule).or_default();
            *known += 1;
            if *known <= options.max_findings_per_rule {
                file.known_findings.push(finding.with_severity(severity));
            }
            return;
        }
        *file.counts.entry(rule).or_default() += 1;
        if keeps {
            *self.kept.entry(rule).or_default() += 1;
            file.findings.push(finding.with_severity(severity));
        }
    }

    /// Counts findings of a rule without keeping them. A baseline knows them by the rule's summary.
    pub(super) fn count(&mut self, id: FileId, rule: Rule, count: u64) {
        let Some(file) = self.report.files.get_mut(id.0 as usize) else { return };
        if file.severities.of(rule).is_none() {
            *file.allowed.entry(rule).or_default() += count;
            return;
        }
        let findings = Known { file: &file.name, rule, message: rule.summary(), count };
        if let Some(recorded) = &mut self.report.recorded {
            recorded.add(findings);
        }
        let known = self.report.stale.as_mut().map_or(0, |baseline| baseline.take(findings));
        for (counts, count) in [(&mut file.known, known), (&mut file.counts, count - known)] {
            if count > 0 {
                *counts.entry(rule).or_default() += count;
            }
        }
    }

    pub(super) fn finish(mut self) -> Report {
        for file in &mut self.report.files {
            file.findings.sort_by_key(|finding| finding.span().start.offset);
            file.known_findings.sort_by_key(|finding| finding.span().start.offset);
        }
        if let Some(stale) = &mut self.report.stale {
            stale.drop_empty();
        }
        self.report
    }
}

/// Adds the findings of one file to the report.
pub(super) struct FileFindings<'r> {
    report: &'r mut ReportBuilder,
    id: FileId,
    options: &'r CheckOptions,
}

impl Collect for FileFindings<'_> {
    fn has_room(&self, rule: Rule) -> bool {
        self.report.has_room(self.id, rule, self.options)
    }

    fn count(&mut self, rule: Rule, count: u64) {
        self.report.count(self.id, rule, count);
    }

    fn add(&mut self, finding: Finding) {
        self.report.add(self.id, finding, self.options);
    }
}
