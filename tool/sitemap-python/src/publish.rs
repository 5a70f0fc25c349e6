//! Publishing.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::TimestampMicrosecondType;
use arrow_array::{Array as _, ArrayRef, RecordBatch, RecordBatchReader, StringArray};
use arrow_cast::cast;
use arrow_json::LineDelimitedWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, TimeUnit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PyRecordBatchReader;
use sitemap_cli::embed;
use sitemap_core::LastMod;
use sitemap_core::publish::PublishedFile;

use crate::options::words;
use crate::run::{exception, interrupted, wait};
use crate::table::{PRECISIONS, UTC};

/// The columns that describe an entry.
const COLUMNS: [&str; 9] =
    ["loc", "lastmod", "changefreq", "priority", "alternates", "images", "videos", "news", "elements"];

/// The columns that a table of entries may contain, but that aren't published.
const LEFT_OUT: [&str; 2] = ["lastmod_precision", "sitemap"];

/// Publishes the pages in an NDJSON file. Returns the numbers of the summary, the files of the set, and the messages.
#[pyfunction]
pub(crate) fn build<'py>(
    py: Python<'py>,
    input: PathBuf,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let words = words(options)?;
    let ran = wait(py, move |run| embed::build(run, &words, &input.into()), None)?;
    let summary = ran.result.map_err(exception)?;
    let files = |files: &[PublishedFile]| -> Vec<_> {
        let values = |file: &PublishedFile| {
            (
                file.name().to_owned(),
                file.loc().as_str().to_owned(),
                file.entries(),
                file.bytes(),
                file.stored_bytes(),
                file.changed(),
            )
        };
        files.iter().map(values).collect()
    };
    let skipped: Vec<_> = summary.skipped_records().iter().map(|record| record.error().to_string()).collect();
    let values = (
        summary.entry_point().as_str(),
        summary.urls(),
        summary.bytes(),
        summary.skipped(),
        skipped,
        summary.removed_files(),
        files(summary.files()),
        files(summary.indexes()),
        summary.robots_txt(),
        ran.notes,
    );
    Ok(values.into_pyobject(py)?.into_any())
}

/// Writes a table to an NDJSON file, one row per line.
#[pyfunction]
pub(crate) fn write_rows(py: Python<'_>, table: PyRecordBatchReader, path: PathBuf) -> PyResult<u64> {
    let reader = table.into_reader()?;
    let mut rows = 0;
    py.detach(|| {
        let columns = columns(&reader.schema())?;
        let mut out = BufWriter::with_capacity(1 << 16, File::create(path)?);
        for batch in reader {
            let batch = batch.map_err(|error| failed(&error))?;
            write_batch(&batch, &columns, &mut out).map_err(|error| failed(&error))?;
            rows += batch.num_rows() as u64;
            interrupted()?;
        }
        out.flush()?;
        Ok::<(), PyErr>(())
    })?;
    Ok(rows)
}

fn failed(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the positions of the columns to write. An unknown column is an error, because its name is probably misspelt.
fn columns(schema: &Schema) -> PyResult<Vec<usize>> {
    let mut columns = Vec::new();
    for (at, field) in schema.fields().iter().enumerate() {
        let name = field.name().as_str();
        // pandas adds a column for a non-default index.
        if LEFT_OUT.contains(&name) || name.starts_with("__index_level_") {
            continue;
        }
        if !COLUMNS.contains(&name) {
            return Err(PyValueError::new_err(format!(
                "unknown column `{name}`, expected one of `{}`; select or rename the columns first",
                COLUMNS.join("`, `")
            )));
        }
        columns.push(at);
    }
    if schema.index_of("loc").is_err() {
        return Err(PyValueError::new_err("the table has no column `loc`; rename the column of the URLs"));
    }
    Ok(columns)
}

fn write_batch(batch: &RecordBatch, columns: &[usize], out: &mut BufWriter<File>) -> Result<(), ArrowError> {
    let schema = batch.schema();
    let (mut fields, mut arrays): (Vec<Field>, Vec<ArrayRef>) = (Vec::new(), Vec::new());
    let mut elements = None;
    for &at in columns {
        let (field, array) = (schema.field(at), batch.column(at));
        match field.name().as_str() {
            "lastmod" if matches!(field.data_type(), DataType::Timestamp(..)) => {
                fields.push(Field::new("lastmod", DataType::Utf8, true));
                arrays.push(dates(array, batch.column_by_name("lastmod_precision"))?);
            }
            // If the entries in the table were read from a sitemap, their elements are JSON.
            "elements" if !matches!(field.data_type(), DataType::List(_) | DataType::LargeList(_)) => {
                elements = Some(cast(array, &DataType::Utf8)?);
            }
            _ => {
                fields.push(field.clone());
                arrays.push(Arc::clone(array));
            }
        }
    }
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?;
    let Some(elements) = elements.filter(|elements| elements.null_count() < elements.len()) else {
        return LineDelimitedWriter::new(out).write(&batch);
    };
    let elements = elements.as_string::<i32>();
    for row in 0..batch.num_rows() {
        let mut line = Vec::new();
        LineDelimitedWriter::new(&mut line).write(&batch.slice(row, 1))?;
        if elements.is_valid(row) {
            let end = line.iter().rposition(|&byte| byte == b'}').unwrap_or_default();
            line.truncate(end);
            line.extend_from_slice(b",\"elements\":");
            line.extend_from_slice(elements.value(row).as_bytes());
            line.extend_from_slice(b"}\n");
        }
        out.write_all(&line)?;
    }
    Ok(())
}

/// Returns dates as strings with their original precision. A time without a time zone is treated as UTC.
fn dates(dates: &ArrayRef, precisions: Option<&ArrayRef>) -> Result<ArrayRef, ArrowError> {
    let utc = DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into()));
    let dates = cast(dates, &utc)?;
    let dates = dates.as_primitive::<TimestampMicrosecondType>();
    let precisions = precisions.map(|precisions| cast(precisions, &DataType::Utf8)).transpose()?;
    let precisions = precisions.as_ref().map(AsArray::as_string::<i32>);
    let text = |(row, date): (usize, Option<i64>)| {
        let precision = precisions.filter(|precisions| precisions.is_valid(row));
        date.map(|date| date_text(date, precision.map(|precisions| precisions.value(row))))
    };
    Ok(Arc::new(dates.iter().enumerate().map(text).collect::<StringArray>()))
}

/// Returns a date with the given precision. If a sitemap can't contain the date, returns a number instead. The number
/// is then reported as invalid, with its row.
fn date_text(microseconds: i64, precision: Option<&str>) -> String {
    let (seconds, fraction) = (microseconds.div_euclid(1_000_000), microseconds.rem_euclid(1_000_000));
    let Ok(date) = LastMod::from_timestamp(seconds) else { return seconds.to_string() };
    let text = date.to_string();
    let at = precision.and_then(|precision| PRECISIONS.iter().position(|known| *known == precision));
    match at {
        Some(0) => text[..4].to_owned(),
        Some(1) => text[..7].to_owned(),
        Some(2) => text[..10].to_owned(),
        Some(3) => format!("{}Z", &text[..16]),
        _ if fraction > 0 => format!("{}.{fraction:06}Z", text.trim_end_matches('Z')),
        _ => text,
    }
}
