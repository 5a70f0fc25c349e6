//! Collects requests into Arrow batches.

use std::fmt::Write as _;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, StringArray, StringBuilder, TimestampMicrosecondBuilder, UInt16Builder, UInt64Builder,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::error::Result;
use sitemap_logs::LogRequest;

const UTC: &str = "UTC";

/// Returns the schema of a table of requests.
pub(super) fn schema() -> SchemaRef {
    let text = |name| Field::new(name, DataType::Utf8, true);
    Arc::new(Schema::new(vec![
        Field::new("time", DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())), false),
        text("ip"),
        text("method"),
        text("url"),
        text("host"),
        text("target"),
        Field::new("status", DataType::UInt16, true),
        Field::new("bytes", DataType::UInt64, true),
        text("agent"),
        text("referer"),
        text("file"),
    ]))
}

/// A collector of requests. It keeps only the columns that the query reads.
pub(super) struct Requests {
    schema: SchemaRef,
    projection: Vec<usize>,
    /// The scheme and the host of requests without them.
    base: Option<Arc<str>>,
    rows: usize,
    time: TimestampMicrosecondBuilder,
    status: UInt16Builder,
    bytes: UInt64Builder,
    /// A builder for each text column, at the position of the column.
    texts: [StringBuilder; 11],
}

impl Requests {
    pub(super) fn new(projection: Vec<usize>, base: Option<Arc<str>>) -> Self {
        Self {
            schema: schema(),
            projection,
            base,
            rows: 0,
            time: TimestampMicrosecondBuilder::new().with_timezone(UTC),
            status: UInt16Builder::new(),
            bytes: UInt64Builder::new(),
            texts: std::array::from_fn(|_| StringBuilder::new()),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    pub(super) fn push(&mut self, request: &LogRequest<'_>) {
        self.rows += 1;
        for &column in &self.projection {
            let text = &mut self.texts[column];
            match column {
                0 => self.time.append_value(request.time),
                1 => match request.ip {
                    // Writing to a builder of texts cannot fail.
                    Some(ip) => {
                        let _ = write!(text, "{ip}");
                        text.append_value("");
                    }
                    None => text.append_null(),
                },
                2 => text.append_value(&request.method),
                3 => push_url(text, request, self.base.as_deref()),
                4 => text.append_option(request.host.as_deref()),
                5 => text.append_value(&request.target),
                6 => self.status.append_option(request.status),
                7 => self.bytes.append_option(request.bytes),
                8 => text.append_option(request.agent.as_deref()),
                9 => text.append_option(request.referer.as_deref()),
                _ => {}
            }
        }
    }

    /// Empties the collector and returns its requests as a batch, with the name of their file.
    pub(super) fn take(&mut self, file: &str) -> Result<RecordBatch> {
        let rows = std::mem::take(&mut self.rows);
        let columns = self.projection.iter().map(|&column| match column {
            0 => Arc::new(self.time.finish()) as ArrayRef,
            6 => Arc::new(self.status.finish()),
            7 => Arc::new(self.bytes.finish()),
            10 => Arc::new(StringArray::from_iter_values(std::iter::repeat_n(file, rows))),
            column => Arc::new(self.texts[column].finish()),
        });
        let columns = columns.collect();
        let schema = Arc::new(self.schema.project(&self.projection)?);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(schema, columns, &options)?)
    }
}

/// Adds the URL of a request, or a null if its host is not known.
fn push_url(text: &mut StringBuilder, request: &LogRequest<'_>, base: Option<&str>) {
    // Writing to a builder of texts cannot fail.
    let _ = match (request.scheme, request.host.as_deref(), base) {
        (Some(scheme), Some(host), _) => write!(text, "{scheme}://{host}"),
        (None, Some(host), Some(base)) => {
            let scheme = base.split_once("://").map_or("https", |(scheme, _)| scheme);
            write!(text, "{scheme}://{host}")
        }
        (_, None, Some(base)) => text.write_str(base),
        (_, _, None) => {
            text.append_null();
            return;
        }
    };
    text.append_value(&request.target);
}
