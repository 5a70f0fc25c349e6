//! Problems with a sitemap that is being read.

use pyo3::prelude::*;
use sitemap_read::{Finding, section_of};

/// A finding of the reader, or the reason why a sitemap can't be read.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    sitemap: String,
    severity: String,
    message: String,
    /// The fields that only findings have.
    place: Option<Place>,
}

#[derive(Clone, Debug)]
struct Place {
    rule: &'static str,
    remedy: &'static str,
    loc: Option<String>,
    line: u64,
    column: u64,
    offset: u64,
    len: u64,
}

/// Returns the last segment of a path or URL.
fn file_name(sitemap: &str) -> &str {
    let path = sitemap.split(['?', '#']).next().unwrap_or_default();
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

impl Problem {
    pub(crate) fn finding(sitemap: String, finding: &Finding) -> Self {
        let (rule, span) = (finding.rule(), finding.span());
        let place = Place {
            rule: rule.id(),
            remedy: rule.remedy(),
            loc: finding.entry().map(str::to_owned),
            line: span.start.line,
            column: span.start.column,
            offset: span.start.offset,
            len: span.len,
        };
        let severity = finding.severity().to_string();
        Self { sitemap, severity, message: finding.full_message().into_owned(), place: Some(place) }
    }

    pub(crate) fn unreadable(sitemap: String, why: &str) -> Self {
        Self { sitemap, severity: "error".to_owned(), message: why.to_owned(), place: None }
    }

    /// Returns the values for the module's class `Finding`, in the order of its fields.
    pub(crate) fn to_tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place.as_ref();
        let values = (
            place.map(|place| place.rule),
            &self.severity,
            &self.message,
            place.map(|place| place.remedy),
            place.and_then(|place| place.loc.as_deref()),
            &self.sitemap,
            section_of(file_name(&self.sitemap)),
            place.map(|place| place.line),
            place.map(|place| place.column),
            place.map(|place| place.offset),
            place.map(|place| place.len),
        );
        Ok(values.into_pyobject(py)?.into_any())
    }
}
