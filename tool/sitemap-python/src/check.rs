//! Checking.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sitemap_cli::embed;
use sitemap_read::{Rule, Severity};

use crate::options::words;
use crate::problem::Problem;
use crate::run::{exception, wait};
use crate::source::Source;

/// Checks a source. Returns the findings; the number of files, pages, errors and warnings; the number of findings by
/// rule; the number of omitted findings and of allowed findings; and the messages.
#[pyfunction]
pub(crate) fn check<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(source)?;
    let (words, name) = (words(options)?, source.input_name());
    let Source { target, input, .. } = source;
    let ran = wait(py, move |run| embed::check(run, &words, &target), input)?;
    let report = ran.result.map_err(exception)?;
    let findings = PyList::empty(py);
    for (file, finding) in report.findings() {
        findings
            .append(Problem::finding(Source::rename(name.as_deref(), file.name()), finding).to_tuple(py)?)?;
    }
    let counts = |counts: std::collections::BTreeMap<Rule, u64>| -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (rule, count) in counts {
            dict.set_item(rule.id(), count)?;
        }
        Ok(dict)
    };
    let values = (
        findings,
        report.files().len(),
        report.pages(),
        report.count(Severity::Error),
        report.count(Severity::Warning),
        counts(report.counts())?,
        counts(report.omitted())?,
        counts(report.allowed())?,
        ran.notes,
    );
    Ok(values.into_pyobject(py)?.into_any())
}
