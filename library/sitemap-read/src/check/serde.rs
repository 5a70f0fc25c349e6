//! Serialises reports and findings as objects, for JSON and other formats.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use sitemap_core::Dialect;

use super::baseline::Baseline;
use super::report::{FileReport, Report};
use crate::read::Finding;
use crate::rule::{Rule, Severity};

/// Serialises as an object with the keys `format` (the version of this format, currently 1), `files` and `summary`.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Report", 3)?;
        object.serialize_field("format", &1)?;
        object.serialize_field("files", self.files())?;
        object.serialize_field("summary", &Summary(self))?;
        object.end()
    }
}

/// The totals of a report.
struct Summary<'r>(&'r Report);

impl Serialize for Summary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Summary", 8)?;
        object.serialize_field("errors", &self.0.count(Severity::Error))?;
        object.serialize_field("warnings", &self.0.count(Severity::Warning))?;
        object.serialize_field("notes", &self.0.count(Severity::Note))?;
        object.serialize_field("pages", &self.0.pages())?;
        object.serialize_field("omitted", &self.0.omitted())?;
        object.serialize_field("allowed", &self.0.allowed())?;
        object.serialize_field("known", &self.0.known())?;
        object.serialize_field("stale", &self.0.stale().map_or(0, Baseline::findings))?;
        object.end()
    }
}

/// Serialises as an object with the keys `name`, `section`, `served_at`, `kind`, `dialect`, `gzip`, `encoding`, `entries`, `bytes`
/// and `findings`. The values from `kind` to `encoding` are null if the file is not a sitemap.
impl Serialize for FileReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let document = self.document();
        let dialect = document.and_then(|document| document.dialect).map(Dialect::version);
        let mut object = serializer.serialize_struct("FileReport", 10)?;
        object.serialize_field("name", self.name())?;
        object.serialize_field("section", self.section())?;
        object.serialize_field("served_at", &self.served_at())?;
        object.serialize_field("kind", &document.map(|document| document.kind.as_str()))?;
        object.serialize_field("dialect", &dialect)?;
        object.serialize_field("gzip", &document.map(|document| document.gzip))?;
        object.serialize_field("encoding", &document.map(|document| document.encoding))?;
        object.serialize_field("entries", &self.entries())?;
        object.serialize_field("bytes", &self.bytes())?;
        object.serialize_field("findings", self.findings())?;
        object.end()
    }
}

/// Serialises as an object with the keys `rule`, `severity`, `loc`, `message`, `help`, `source`, `line`, `column`,
/// `offset` and `length`. The value of `loc` is null if the finding is not about an entry.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (rule, span) = (self.rule(), self.span());
        let mut object = serializer.serialize_struct("Finding", 10)?;
        object.serialize_field("rule", &rule)?;
        object.serialize_field("severity", &self.severity())?;
        object.serialize_field("loc", &self.entry())?;
        object.serialize_field("message", &self.full_message())?;
        object.serialize_field("help", rule.remedy())?;
        object.serialize_field("source", &rule.authority().to_string())?;
        object.serialize_field("line", &span.start.line)?;
        object.serialize_field("column", &span.start.column)?;
        object.serialize_field("offset", &span.start.offset)?;
        object.serialize_field("length", &span.len)?;
        object.end()
    }
}

/// Serialises as the rule's [`id`](Rule::id).
impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
