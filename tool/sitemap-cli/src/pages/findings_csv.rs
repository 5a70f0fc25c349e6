//! All findings of a report as CSV.

use std::path::Path;

use sitemap_read::Finding;

use crate::csv_file::CsvFile;
use crate::error::Outcome;

/// The file of `sitemap report --csv`. Without this option, nothing is written.
#[derive(Debug)]
pub(super) struct FindingsCsv<'p> {
    file: Option<CsvFile<'p>>,
    /// The first error. After an error, nothing more is written.
    written: Outcome<()>,
}

impl<'p> FindingsCsv<'p> {
    pub(super) fn create(path: Option<&'p Path>) -> Outcome<Self> {
        let headings = ["severity", "rule", "url", "message", "file", "line", "linked_from"];
        let file = path.map(|path| CsvFile::create(path, headings)).transpose()?;
        Ok(Self { file, written: Ok(()) })
    }

    /// Adds a finding about a page of a sitemap.
    pub(super) fn listed(&mut self, url: &str, file: Option<&str>, finding: &Finding) {
        let line = finding.span().start.line;
        let line = if file.is_some() && line > 0 { line.to_string() } else { String::new() };
        self.row(url, finding, [file.unwrap_or_default(), &line, ""]);
    }

    /// Adds a finding about a crawled page. Calls `linked_from` only if there is a file.
    pub(super) fn crawled(
        &mut self,
        url: &str,
        finding: &Finding,
        linked_from: impl FnOnce() -> Option<String>,
    ) {
        if self.file.is_some() {
            self.row(url, finding, ["", "", &linked_from().unwrap_or_default()]);
        }
    }

    fn row(&mut self, url: &str, finding: &Finding, [file, line, from]: [&str; 3]) {
        if let (Some(csv), Ok(())) = (&mut self.file, &self.written) {
            let (severity, rule) = (finding.severity().as_str(), finding.rule().id());
            self.written = csv.row([severity, rule, url, finding.message(), file, line, from]);
        }
    }

    pub(super) fn finish(self) -> Outcome<()> {
        self.written?;
        self.file.map_or(Ok(()), CsvFile::finish)
    }
}
