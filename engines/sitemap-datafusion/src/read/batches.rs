//! Collects the entries of a file into Arrow batches.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, Float64Builder, StringArray, StringBuilder, TimestampMicrosecondBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::error::Result;
use sitemap_core::{Entry, Priority};

const UTC: &str = "UTC";

/// Returns the schema of a sitemap table.
pub(crate) fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("loc", DataType::Utf8, false),
        Field::new("lastmod", DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())), true),
        Field::new("changefreq", DataType::Utf8, true),
        Field::new("priority", DataType::Float64, true),
        Field::new("sitemap", DataType::Utf8, false),
        Field::new("section", DataType::Utf8, false),
        Field::new("lastmod_text", DataType::Utf8, true),
    ]))
}

/// A collector of entries. It keeps only the columns that the query reads.
pub(super) struct Batches {
    schema: SchemaRef,
    projection: Vec<usize>,
    rows: usize,
    loc: StringBuilder,
    lastmod: TimestampMicrosecondBuilder,
    changefreq: StringBuilder,
    priority: Float64Builder,
    lastmod_text: StringBuilder,
}

impl Batches {
    /// Creates an empty collector. `schema` has the columns of the table, and `projection` has the positions of the
    /// columns to collect.
    pub(super) fn new(schema: SchemaRef, projection: Vec<usize>) -> Self {
        Self {
            schema,
            projection,
            rows: 0,
            loc: StringBuilder::new(),
            lastmod: TimestampMicrosecondBuilder::new().with_timezone(UTC),
            changefreq: StringBuilder::new(),
            priority: Float64Builder::new(),
            lastmod_text: StringBuilder::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    pub(super) fn push(&mut self, entry: &Entry<'_>) {
        self.rows += 1;
        for column in &self.projection {
            match column {
                0 => self.loc.append_value(entry.loc().as_str()),
                1 => self.lastmod.append_option(entry.lastmod().map(|date| date.timestamp() * 1_000_000)),
                2 => self.changefreq.append_option(entry.changefreq().map(sitemap_core::ChangeFreq::as_str)),
                3 => self.priority.append_option(entry.priority().map(Priority::get)),
                6 => self.lastmod_text.append_option(entry.lastmod().map(|date| date.to_string())),
                _ => {}
            }
        }
    }

    /// Empties the collector and returns its entries as a batch, with the names of their file and their section.
    pub(super) fn take(&mut self, sitemap: &str, section: &str) -> Result<RecordBatch> {
        let rows = std::mem::take(&mut self.rows);
        let same =
            |text: &str| Arc::new(StringArray::from_iter_values(std::iter::repeat_n(text, rows))) as ArrayRef;
        let mut columns = Vec::with_capacity(self.projection.len());
        for column in &self.projection {
            columns.push(match column {
                0 => Arc::new(self.loc.finish()) as ArrayRef,
                1 => Arc::new(self.lastmod.finish()),
                2 => Arc::new(self.changefreq.finish()),
                3 => Arc::new(self.priority.finish()),
                4 => same(sitemap),
                5 => same(section),
                _ => Arc::new(self.lastmod_text.finish()),
            });
        }
        let schema = Arc::new(self.schema.project(&self.projection)?);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(schema, columns, &options)?)
    }
}
