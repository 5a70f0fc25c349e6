//! The table of an access log.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{exec_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{CreateExternalTable, Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use sitemap_core::Site;
use sitemap_logs::{LogError, LogFormat, LogReader};
use tokio::sync::mpsc::Sender;

use super::columns::{Requests, schema};
use super::files::{Files, open};
use crate::external::{self, distribute};
use crate::target::Target;

/// The factory of tables for `CREATE EXTERNAL TABLE … STORED AS ACCESSLOG LOCATION '…'`.
///
/// The location is a file or a folder, also in a bucket, whose files may be compressed with gzip.
///
/// | option | default | |
/// |---|---|---|
/// | `format` | that of the first line of each file | `combined`, `json`, `cloudfront` or `alb`, as [`LogFormat`] describes |
/// | `base` | none | the scheme and host of requests for which the log has none, such as `https://www.example.com` |
/// | `on_invalid` | `skip` | `skip` leaves out lines that are not requests, and reports their number for each file; `stop` ends the query with an error |
///
/// | column | type | |
/// |---|---|---|
/// | `time` | timestamp in UTC | |
/// | `ip` | text, or `NULL` | the client's IP address |
/// | `method` | text | such as `GET` |
/// | `url` | text, or `NULL` | scheme, host and target, if the log has them or the table has the option `base` |
/// | `host` | text, or `NULL` | |
/// | `target` | text | the path and the query, as requested |
/// | `status` | number, or `NULL` | |
/// | `bytes` | number, or `NULL` | the bytes sent |
/// | `agent`, `referer` | text, or `NULL` | |
/// | `file` | text | the name of the file |
///
/// [`register`](crate::register) adds this factory to a session:
///
/// ```
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// # let dir = tempfile::tempdir().unwrap();
/// # let folder = dir.path().display();
/// let log = r#"66.249.66.1 - - [27/Nov/2026:13:55:36 +0000] "GET /tea HTTP/1.1" 200 2326 "-" "Googlebot/2.1""#;
/// std::fs::write(dir.path().join("access.log"), log)?;
///
/// let session = sitemap_datafusion::session(1 << 28, Some(2))?;
/// let table = format!(
///     "CREATE EXTERNAL TABLE requests STORED AS ACCESSLOG LOCATION '{folder}/' OPTIONS (base 'https://example.com')"
/// );
/// session.sql(&table).await?;
/// let found = session.sql("SELECT url, status, agent FROM requests").await?;
/// assert_eq!(
///     found.to_string().await?,
///     "+-------------------------+--------+---------------+\n\
///      | url                     | status | agent         |\n\
///      +-------------------------+--------+---------------+\n\
///      | https://example.com/tea | 200    | Googlebot/2.1 |\n\
///      +-------------------------+--------+---------------+"
/// );
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct LogTableFactory;

#[async_trait]
impl TableProviderFactory for LogTableFactory {
    async fn create(&self, _: &dyn Session, command: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        let columns = "all tables of access logs have the same columns";
        let location = external::location(command, "an access log", columns)?;
        let mut table = LogTable { location: location.to_owned(), format: None, base: None, stops: false };
        for (key, value) in &command.options {
            match key.strip_prefix("format.").unwrap_or(key) {
                "format" => {
                    let format = value.parse();
                    table.format =
                        Some(format.map_err(|error| DataFusionError::Plan(format!("`format`: {error}")))?);
                }
                "base" => {
                    let site = Site::new(value)
                        .map_err(|error| DataFusionError::Plan(format!("`base`: {error}")))?;
                    table.base = Some(site.base().trim_end_matches('/').into());
                }
                "on_invalid" => {
                    table.stops = match value.as_str() {
                        "skip" => false,
                        "stop" => true,
                        _ => return plan_err!("`on_invalid` is {value:?}; use `skip` or `stop`"),
                    }
                }
                other => {
                    return plan_err!(
                        "`{other}` is not an option of an access log; the options are `format`, `base` and `on_invalid`"
                    );
                }
            }
        }
        find(table.location.clone()).await?;
        Ok(Arc::new(table))
    }
}

async fn find(location: String) -> Result<Files> {
    let found = SpawnedTask::spawn_blocking(move || Files::find(&location)).join().await;
    found.map_err(|error| DataFusionError::External(Box::new(error)))?
}

#[derive(Clone, Debug)]
struct LogTable {
    location: String,
    /// `None` if the first line of each file tells.
    format: Option<LogFormat>,
    base: Option<Arc<str>>,
    /// True if a line that is not a request ends the query.
    stops: bool,
}

#[async_trait]
impl TableProvider for LogTable {
    fn schema(&self) -> SchemaRef {
        schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Files { folder, names } = find(self.location.clone()).await?;
        let shared = distribute(names, state.config().target_partitions());
        let projection = projection.cloned().unwrap_or_else(|| (0..schema().fields().len()).collect());
        let projected = Arc::new(schema().project(&projection)?);
        let scans = shared.into_iter().map(|files| {
            let (table, folder, schema) = (self.clone(), folder.clone(), Arc::clone(&projected));
            let scan = Scan { table, folder, files: files.into(), projection: projection.clone(), schema };
            Arc::new(scan) as Arc<dyn PartitionStream>
        });
        let scans = scans.collect();
        Ok(Arc::new(StreamingTableExec::try_new(projected, scans, None, [], false, limit)?))
    }
}

/// The files that one task reads.
#[derive(Clone, Debug)]
struct Scan {
    table: LogTable,
    folder: Target,
    files: Arc<[String]>,
    projection: Vec<usize>,
    schema: SchemaRef,
}

impl PartitionStream for Scan {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        /// The maximum number of batches that wait for the reader of the stream.
        const WAITING: usize = 2;

        let mut output = RecordBatchReceiverStreamBuilder::new(Arc::clone(&self.schema), WAITING);
        let (scan, to) = (self.clone(), output.tx());
        let batch_size = context.session_config().batch_size();
        output
            .spawn_blocking(move || scan.files.iter().try_for_each(|file| scan.read(file, batch_size, &to)));
        output.build()
    }
}

impl Scan {
    fn read(&self, file: &str, batch_size: usize, to: &Sender<Result<RecordBatch>>) -> Result<()> {
        if to.is_closed() {
            return Ok(());
        }
        let log = open(&self.folder, file)?;
        let mut reader = match self.table.format {
            Some(format) => LogReader::new(log, format),
            None => match LogReader::detect(log) {
                Ok(reader) => reader,
                Err(error) => return exec_err!("`{file}`: {error}"),
            },
        };
        let mut requests = Requests::new(self.projection.clone(), self.table.base.clone());
        let mut first = None;
        while let Some(request) = reader.next_request() {
            match request {
                Ok(request) => requests.push(&request),
                Err(LogError::Line(line)) if !self.table.stops => first = first.or(Some(line)),
                Err(error) => return exec_err!("`{file}`: {error}"),
            }
            // Sending fails only if the query has ended, and then nothing needs the requests.
            if requests.len() == batch_size && to.blocking_send(Ok(requests.take(file)?)).is_err() {
                return Ok(());
            }
        }
        if requests.len() > 0 {
            to.blocking_send(Ok(requests.take(file)?)).ok();
        }
        if let Some(first) = first {
            log::warn!("skipped: {} of {} lines of `{file}`; {first}", reader.garbage(), reader.lines());
        }
        Ok(())
    }
}
