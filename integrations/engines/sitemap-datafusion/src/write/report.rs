//! The row that `COPY` returns.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::error::Result;
use sitemap_core::publish::Summary;

/// The result of a statement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Report {
    /// The number of URLs in the published set, or the number of pages that an update added, changed or removed.
    pub(super) count: u64,
    pub(super) files_written: u64,
    pub(super) files_kept: u64,
    pub(super) files_removed: u64,
    pub(super) invalid_rows: u64,
    /// The number of rows whose page an earlier row already has.
    pub(super) duplicate_rows: u64,
}

impl Report {
    /// Returns the row's columns. The first one is the same as for every `COPY` in DataFusion.
    pub(super) fn schema() -> SchemaRef {
        let names =
            ["count", "files_written", "files_kept", "files_removed", "invalid_rows", "duplicate_rows"];
        let fields = names.map(|name| Field::new(name, DataType::UInt64, false));
        Arc::new(Schema::new(fields.to_vec()))
    }

    /// Copies the counts of files with pages.
    pub(super) fn files(self, summary: &Summary) -> Self {
        let files_written = summary.files().iter().filter(|file| file.changed()).count() as u64;
        Self {
            files_written,
            files_kept: summary.files().len() as u64 - files_written,
            files_removed: summary.removed_files(),
            ..self
        }
    }

    pub(super) fn batch(self) -> Result<RecordBatch> {
        let Self { count, files_written, files_kept, files_removed, invalid_rows, duplicate_rows } = self;
        let values = [count, files_written, files_kept, files_removed, invalid_rows, duplicate_rows];
        let columns = values.map(|value| Arc::new(UInt64Array::from(vec![value])) as ArrayRef);
        Ok(RecordBatch::try_new(Self::schema(), columns.to_vec())?)
    }
}
