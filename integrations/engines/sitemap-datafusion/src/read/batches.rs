//! Collects a file's entries into Arrow batches.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, Float64Builder, StringArray, StringBuilder, TimestampMicrosecondBuilder, new_null_array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::error::Result;
use sitemap_core::{Entry, Priority};

use super::extras::Extras;
use crate::extensions;

pub(super) const UTC: &str = "UTC";

/// Returns the schema of a sitemap table.
pub(crate) fn schema() -> SchemaRef {
    let mut fields = vec![
        Field::new("loc", DataType::Utf8, false),
        Field::new("lastmod", DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())), true),
        Field::new("changefreq", DataType::Utf8, true),
        Field::new("priority", DataType::Float64, true),
        Field::new("sitemap", DataType::Utf8, false),
        Field::new("section", DataType::Utf8, false),
        Field::new("lastmod_text", DataType::Utf8, true),
    ];
    fields.extend(extensions::fields());
    Arc::new(Schema::new(fields))
}

/// Collects entries. Keeps only the columns that the query reads.
pub(super) struct Batches {
    schema: SchemaRef,
    projection: Vec<usize>,
    rows: usize,
    loc: StringBuilder,
    lastmod: TimestampMicrosecondBuilder,
    changefreq: StringBuilder,
    priority: Float64Builder,
    lastmod_text: StringBuilder,
    extras: Option<Extras>,
}

impl Batches {
    /// Creates an empty collector. `schema` lists the columns of the table, and `projection` the indices of the columns
    /// to collect.
    pub(super) fn new(schema: SchemaRef, projection: Vec<usize>, batch_size: usize) -> Result<Self> {
        Ok(Self {
            extras: Extras::new(&schema, &projection, batch_size)?,
            schema,
            projection,
            rows: 0,
            loc: StringBuilder::new(),
            lastmod: TimestampMicrosecondBuilder::new().with_timezone(UTC),
            changefreq: StringBuilder::new(),
            priority: Float64Builder::new(),
            lastmod_text: StringBuilder::new(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    pub(super) fn push(&mut self, entry: &Entry<'_>) -> Result<()> {
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
        self.extras.as_mut().map_or(Ok(()), |extras| extras.push(entry))
    }

    /// Empties the collector. Returns its entries as a batch, together with the names of their file and section.
    pub(super) fn take(&mut self, sitemap: &str, section: &str) -> Result<RecordBatch> {
        let rows = std::mem::take(&mut self.rows);
        let same =
            |text: &str| Arc::new(StringArray::from_iter_values(std::iter::repeat_n(text, rows))) as ArrayRef;
        let extras = self.extras.as_mut().map(Extras::take).transpose()?.flatten();
        let extra = |column: usize| {
            let name = self.schema.field(column).name();
            let found = extras.as_ref().and_then(|extras| extras.column_by_name(name)).cloned();
            found.unwrap_or_else(|| new_null_array(self.schema.field(column).data_type(), rows))
        };
        let mut columns = Vec::with_capacity(self.projection.len());
        for column in &self.projection {
            columns.push(match column {
                0 => Arc::new(self.loc.finish()) as ArrayRef,
                1 => Arc::new(self.lastmod.finish()),
                2 => Arc::new(self.changefreq.finish()),
                3 => Arc::new(self.priority.finish()),
                4 => same(sitemap),
                5 => same(section),
                6 => Arc::new(self.lastmod_text.finish()),
                column => extra(*column),
            });
        }
        let schema = Arc::new(self.schema.project(&self.projection)?);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(schema, columns, &options)?)
    }
}
