//! The table of the pages of a state.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{exec_datafusion_err, internal_datafusion_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{CreateExternalTable, Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use sitemap_pages::state::{PageCursor, StateError};
use tokio::sync::mpsc::Sender;

use super::columns::{Pages, schema};
use super::opened::{Opened, SharedState};
use crate::external;
use crate::target::Target;

/// The factory of tables for `CREATE EXTERNAL TABLE … STORED AS STATE LOCATION 'site.state'`.
///
/// The location is the file that `sitemap crawl` and `sitemap check --pages` keep with `--state`: a row for each page that
/// they have visited. A query reads a few pages at a time and changes nothing. It locks the file, so that it fails while a
/// crawl or a check uses the file, and the other way round. Damaged and missing rows are errors.
///
/// | column | type | |
/// |---|---|---|
/// | `loc` | text | the URL that was requested first |
/// | `status` | number, or `NULL` | the status of the page; a 304 confirms the status of the visit before |
/// | `outcome` | text | `page`, `not-modified`, `blocked` (by robots.txt) or `failed` |
/// | `failure` | text, or `NULL` | the kind of the failure, such as `timeout` or `redirect-loop` |
/// | `message` | text, or `NULL` | why there is no answer |
/// | `url` | text | the URL of the last request, after all redirects |
/// | `redirects` | list of structs, or `NULL` | each with `url`, `status` and `location` |
/// | `content_type` | text, or `NULL` | the media type |
/// | `title`, `language` | text, or `NULL` | |
/// | `canonical` | text, or `NULL` | the URL that the headers and the head name; `NULL` if they name several |
/// | `noindex` | text, or `NULL` | the means by which the page keeps all search engines from indexing it: `header` or `meta` |
/// | `noindex_agents` | list of texts, or `NULL` | the crawlers that a `noindex` names |
/// | `unavailable_after` | timestamp in UTC, or `NULL` | the date that acts like `noindex` from then on |
/// | `etag`, `last_modified` | text, or `NULL` | the headers, as they were sent |
/// | `body_digest` | text, or `NULL` | XXH3-128 of the body, in hexadecimal digits |
/// | `first_seen`, `visited` | timestamp in UTC | the first and the last visit |
/// | `changed` | timestamp in UTC, or `NULL` | the visit that found other main content than the run before |
/// | `unchanged_until` | timestamp in UTC, or `NULL` | the last visit before that change |
/// | `content_since` | timestamp in UTC, or `NULL` | the first visit that saw the main content as it is now |
/// | `run` | number | the run of the last visit |
/// | `run_kind` | text, or `NULL` | `crawl`, `check`, or `build` for pages read from files, which no server has answered |
///
/// What the page states, from `content_type` to `body_digest`, is that of the last visit. It is `NULL` if that visit had no
/// answer. [`register`](crate::register) adds this factory to a session:
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
///
/// use sitemap_pages::facts::{PageFacts, Response};
/// use sitemap_pages::state::{RunKind, State};
/// use sitemap_pages::visit::{Outcome, Validators, Visit};
///
/// # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("site.state");
/// let state = State::create_or_open(&path)?;
/// let at = UNIX_EPOCH + Duration::from_secs(1_767_607_200);
/// let run = state.begin_run(RunKind::Crawl, at)?;
/// let url = "https://example.com/cart";
/// let body = b"<title>Cart</title><meta name=robots content=noindex>";
/// let headers = &[("content-type", "text/html")];
/// let facts = PageFacts::of(&Response { requested: url, url, status: 200, headers, body, is_cut: false });
/// let outcome = Outcome::Page { facts: facts.into(), validators: Validators::default() };
/// state.store(&run, &Visit { url: url.to_owned(), at, hops: Vec::new(), outcome })?;
/// state.finish_run(&run)?;
/// drop(state);
///
/// let session = sitemap_datafusion::session(1 << 28, Some(2))?;
/// let table = format!("CREATE EXTERNAL TABLE evidence STORED AS STATE LOCATION '{}'", path.display());
/// session.sql(&table).await?;
/// let found = session.sql("SELECT loc, status, title, noindex, visited FROM evidence").await?;
/// assert_eq!(
///     found.to_string().await?,
///     "+--------------------------+--------+-------+---------+----------------------+\n\
///      | loc                      | status | title | noindex | visited              |\n\
///      +--------------------------+--------+-------+---------+----------------------+\n\
///      | https://example.com/cart | 200    | Cart  | meta    | 2026-01-05T10:00:00Z |\n\
///      +--------------------------+--------+-------+---------+----------------------+"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Default)]
pub struct StateTableFactory {
    opened: Opened,
}

#[async_trait]
impl TableProviderFactory for StateTableFactory {
    async fn create(&self, _: &dyn Session, command: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        let columns = "all tables of states have the same columns";
        let location = external::location(command, "a table of a state", columns)?;
        if let Some(option) = command.options.keys().next() {
            let option = option.strip_prefix("format.").unwrap_or(option);
            return plan_err!("`{option}` is not an option of a table of a state, which has no options");
        }
        let Target::Folder(path) = Target::new(location) else {
            return plan_err!("a state is read from a file of this machine; download `{location}`");
        };
        let table = StateTable { path, opened: self.opened.clone() };
        // A wrong path is reported here, and not by the first query.
        drop(table.open().await?);
        Ok(Arc::new(table))
    }
}

/// The pages of a state.
#[derive(Clone, Debug)]
struct StateTable {
    path: PathBuf,
    opened: Opened,
}

impl StateTable {
    async fn open(&self) -> Result<SharedState> {
        let Self { path, opened } = self.clone();
        let state = SpawnedTask::spawn_blocking(move || opened.open(&path)).join().await;
        state.map_err(|error| DataFusionError::External(Box::new(error)))?
    }
}

#[async_trait]
impl TableProvider for StateTable {
    fn schema(&self) -> SchemaRef {
        schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = match projection {
            Some(projection) => Arc::new(schema().project(projection)?),
            None => schema(),
        };
        let scan = Arc::new(Scan { table: self.clone(), schema: Arc::clone(&schema) });
        Ok(Arc::new(StreamingTableExec::try_new(schema, vec![scan], None, [], false, limit)?))
    }
}

/// A task that reads all pages.
#[derive(Clone, Debug)]
struct Scan {
    table: StateTable,
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
        output.spawn_blocking(move || scan.read(batch_size, &to));
        output.build()
    }
}

impl Scan {
    fn read(&self, batch_size: usize, to: &Sender<Result<RecordBatch>>) -> Result<()> {
        let state = self.table.opened.open(&self.table.path)?;
        let closed = || internal_datafusion_err!("the state is closed");
        let failed = |error: StateError| exec_datafusion_err!("{error}");
        let kinds = state.read(|state| {
            state
                .runs()
                .map(|run| run.map(|run| (run.number, run.kind)))
                .collect::<Result<HashMap<_, _>, _>>()
        });
        let kinds = kinds.ok_or_else(closed)?.map_err(failed)?;
        let mut pages = Pages::new(Arc::clone(&self.schema), batch_size, kinds)?;
        let mut cursor = PageCursor::default();
        while !to.is_closed() {
            let next = state.read(|state| cursor.next_pages(state));
            let next = next.ok_or_else(closed)?.map_err(failed)?;
            let is_end = next.is_empty();
            for page in &next {
                pages.push(page)?;
                if pages.len() == batch_size && to.blocking_send(Ok(pages.take()?)).is_err() {
                    return Ok(());
                }
            }
            if is_end {
                break;
            }
        }
        // Sending fails only if the query has ended, and then nothing needs the pages.
        if pages.len() > 0 {
            to.blocking_send(Ok(pages.take()?)).ok();
        }
        Ok(())
    }
}
