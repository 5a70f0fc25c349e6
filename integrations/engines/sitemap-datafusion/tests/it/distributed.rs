//! Tests statements on workers. The workers run in this process and listen on local ports.

use std::net::TcpListener;
use std::sync::Arc;

use crate::support::{OPTIONS, Sandbox};
use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::displayable;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use sitemap_datafusion::Spill;
use sitemap_datafusion::distributed::{Worker, Workers, is_lost_worker, retry, session_with_workers};
use tokio::runtime::{Builder, Runtime};

const MEMORY: usize = 1 << 28;

/// A worker with its own runtime. Shutting down the runtime kills the worker.
struct Running {
    runtime: Option<Runtime>,
    url: String,
}

impl Running {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let worker = Worker::new(MEMORY, Spill::default()).unwrap();
        runtime.spawn(async move { worker.serve(listener, std::future::pending()).await });
        Self { runtime: Some(runtime), url }
    }

    fn kill(&mut self) {
        self.runtime.take().unwrap().shutdown_background();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.runtime.is_some() {
            self.kill();
        }
    }
}

fn started(count: usize) -> Vec<Running> {
    (0..count).map(|_| Running::start()).collect()
}

async fn sandbox(list: &str, partitions: usize) -> Sandbox {
    let workers: Workers = list.parse().unwrap();
    let session = session_with_workers(MEMORY, Some(partitions), Spill::default(), workers).unwrap();
    let sandbox = Sandbox::with_session(session);
    // Otherwise, a single task would read such small tables.
    sandbox.run("SET distributed.file_scan_config_bytes_per_partition = 1").await;
    sandbox
}

async fn on(workers: &[Running], partitions: usize) -> Sandbox {
    let urls: Vec<_> = workers.iter().map(|worker| worker.url.as_str()).collect();
    sandbox(&urls.join(","), partitions).await
}

/// Writes 20,000 pages to four files of a folder.
async fn source(to: &Sandbox) -> String {
    let folder = format!("{}source/", to.out());
    for part in 0..4 {
        let (first, last) = (part * 5_000 + 1, (part + 1) * 5_000);
        let sql = format!(
            "COPY (SELECT 'https://www.example.com/items/' || value AS loc, TIMESTAMP '2026-01-31T10:00:00' AS lastmod,
                   CASE WHEN value = 777 THEN 1.5 ELSE 0.5 END AS priority
                   FROM generate_series({first}, {last})) TO '{folder}{part}.parquet'"
        );
        to.run(&sql).await;
    }
    folder
}

async fn with_table(sandbox: &Sandbox, folder: &str) {
    let sql = format!("CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '{folder}'");
    sandbox.run(&sql).await;
}

async fn plan(sandbox: &Sandbox, sql: &str) -> String {
    let plan = sandbox.session.sql(sql).await.unwrap().create_physical_plan().await.unwrap();
    displayable(plan.as_ref()).indent(true).to_string()
}

fn copy(sandbox: &Sandbox, options: &str) -> String {
    format!(
        "COPY (SELECT loc, lastmod, split_part(loc, '/', 4) AS section FROM pages) TO '{}set/' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', buckets 7, gzip true{options})",
        sandbox.out()
    )
}

/// Returns the names of the shards, which contain digests of their bytes.
async fn shards(sandbox: &Sandbox) -> String {
    let out = sandbox.out();
    sandbox.run(&format!("CREATE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '{out}set/'")).await;
    sandbox.text("SELECT sitemap, count(*), min(loc), max(lastmod) FROM published GROUP BY sitemap ORDER BY sitemap").await
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_write_the_same_shards_with_threads() {
    let alone = Sandbox::new(2);
    let folder = source(&alone).await;
    with_table(&alone, &folder).await;
    alone.run(&copy(&alone, ", expect_urls 20000")).await;
    let expected = shards(&alone).await;
    assert!(expected.contains("sitemap-items-00006-1-"), "{expected}");
    for (count, partitions) in [(1, 2), (2, 2), (3, 1), (2, 5)] {
        let workers = started(count);
        let together = on(&workers, partitions).await;
        with_table(&together, &folder).await;
        let copy = copy(&together, ", expect_urls 20000");
        let planned = plan(&together, &copy).await;
        assert!(planned.starts_with(&format!("SitemapWorkersExec: workers={count}\n")), "{planned}");
        // The commit is above the first boundary between machines, and the writing tasks are below it.
        let at = |node| planned.find(node).unwrap_or_else(|| panic!("no {node}: {planned}"));
        assert!(at("SitemapCommitExec") < at("NetworkCoalesceExec"), "{planned}");
        assert!(at("NetworkCoalesceExec") < at("SitemapWriteExec"), "{planned}");
        together.run(&copy).await;
        // This query also runs on the workers.
        assert_eq!(shards(&together).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_leave_out_buckets_with_the_same_rows_with_threads() {
    let workers = started(2);
    let sandbox = on(&workers, 2).await;
    with_table(&sandbox, &source(&sandbox).await).await;
    let options = OPTIONS.replace("buckets 1", "buckets 4");
    let copy = format!("COPY (SELECT loc FROM pages) TO '{}set/' {options}", sandbox.out());
    assert_eq!(sandbox.number(&copy).await, 20_000);
    // A bucket that is not rewritten keeps its bytes, even wrong ones.
    let folder = format!("{}set/", sandbox.out());
    let changed = "items/1<";
    for entry in std::fs::read_dir(&folder).unwrap().map(Result::unwrap) {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        if text.contains(changed) {
            std::fs::write(entry.path(), text.replace(changed, "items/X<")).unwrap();
        }
    }
    assert_eq!(sandbox.number(&copy).await, 20_000);
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let shards = files.filter(|path| path.to_string_lossy().contains("sitemap-pages-"));
    let found = shards.filter(|path| std::fs::read_to_string(path).unwrap().contains("items/X<"));
    assert_eq!(found.count(), 1);
    assert_eq!(sandbox.number(&copy.replace("buckets 4", "buckets 4, rewrite true")).await, 20_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_change_pages_with_threads() {
    let workers = started(2);
    let sandbox = on(&workers, 2).await;
    let folder = source(&sandbox).await;
    with_table(&sandbox, &folder).await;
    sandbox.run(&copy(&sandbox, "")).await;
    let update = format!(
        "COPY (SELECT loc, 'remove' AS op FROM pages WHERE loc LIKE '%/items/7%') TO '{}set/' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', mode 'update')",
        sandbox.out()
    );
    assert!(plan(&sandbox, &update).await.contains("SitemapWorkersExec"));
    assert_eq!(sandbox.number(&update).await, 1_111);
    shards(&sandbox).await;
    assert!(plan(&sandbox, "SELECT max(loc) FROM published").await.contains("SitemapWorkersExec"));
    assert_eq!(sandbox.number("SELECT count(DISTINCT loc) FROM published").await, 20_000 - 1_111);
    let joined = "SELECT count(*) FROM pages LEFT JOIN published ON pages.loc = published.loc WHERE published.loc IS NULL";
    assert!(plan(&sandbox, joined).await.contains("SitemapWorkersExec"));
    assert_eq!(sandbox.number(joined).await, 1_111);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_row_on_a_worker_is_named_with_threads() {
    let workers = started(2);
    let sandbox = on(&workers, 2).await;
    let folder = source(&sandbox).await;
    with_table(&sandbox, &folder).await;
    let copy = |options: &str| {
        let out = sandbox.out();
        format!("COPY (SELECT loc, priority FROM pages) TO '{out}set/' {}", OPTIONS.replace(')', options))
    };
    assert!(plan(&sandbox, &copy(")")).await.contains("SitemapWorkersExec"));
    let error = sandbox.try_run(&copy(")")).await.unwrap_err();
    let message = error.strip_backtrace();
    assert!(
        message.contains("row \"https://www.example.com/items/777\": ") && message.contains("found 1.5"),
        "{message}"
    );
    assert!(!is_lost_worker(&error));
    // The result row of `COPY` includes the rows that workers skipped.
    let report = sandbox.text(&copy(", on_invalid skip)")).await;
    assert!(
        report.contains("| 19999 | 1             | 0          | 0             | 1            |"),
        "{report}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_of_the_session_apply_on_workers_with_threads() {
    let workers = started(2);
    let sandbox = on(&workers, 2).await;
    let folder = source(&sandbox).await;
    with_table(&sandbox, &folder).await;
    let query = "SELECT min(to_timestamp_seconds(char_length(loc))) FROM pages";
    assert!(plan(&sandbox, query).await.contains("SitemapWorkersExec"));
    for (zone, expected) in [("+02:00", "1970-01-01T02:00:31+02:00"), ("-05:30", "1969-12-31T18:30:31-05:30")]
    {
        sandbox.run(&format!("SET datafusion.execution.time_zone = '{zone}'")).await;
        let found = sandbox.text(query).await;
        assert!(found.contains(expected), "{found}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_sent_runs_in_the_session_with_threads() {
    let workers = started(2);
    let sandbox = on(&workers, 2).await;
    let folder = source(&sandbox).await;
    with_table(&sandbox, &folder).await;
    let locs: ArrayRef = Arc::new(StringArray::from(vec!["https://www.example.com/items/7"]));
    let batch = RecordBatch::try_from_iter([("loc", locs)]).unwrap();
    let table = StreamingTable::try_new(batch.schema(), vec![Arc::new(Local(batch))]).unwrap();
    sandbox.session.register_table("requests", Arc::new(table)).unwrap();
    let query = "SELECT count(*) FROM pages JOIN requests USING (loc)";
    let planned = plan(&sandbox, query).await;
    assert!(!planned.contains("SitemapWorkersExec"), "{planned}");
    assert_eq!(sandbox.number(query).await, 1);
}

/// Rows that only exist in this process, so the plan cannot be encoded.
#[derive(Debug)]
struct Local(RecordBatch);

impl PartitionStream for Local {
    fn schema(&self) -> &SchemaRef {
        self.0.schema_ref()
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let batch = self.0.clone();
        Box::pin(RecordBatchStreamAdapter::new(batch.schema(), futures::stream::iter([Ok(batch)])))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_that_do_not_answer_are_left_out_with_threads() {
    let mut workers = started(2);
    let sandbox = on(&workers, 2).await;
    let folder = source(&sandbox).await;
    with_table(&sandbox, &folder).await;
    assert!(plan(&sandbox, &copy(&sandbox, "")).await.contains("workers=2"));
    let made = sandbox.session.sql(&copy(&sandbox, "")).await.unwrap().create_physical_plan().await.unwrap();
    workers[1].kill();
    // Kill the worker after the statement was planned.
    let error = datafusion::physical_plan::collect(made, sandbox.session.task_ctx()).await.unwrap_err();
    assert!(is_lost_worker(&error) && error.to_string().contains(&workers[1].url), "{error}");
    // A new plan doesn't use the killed worker.
    assert!(plan(&sandbox, &copy(&sandbox, "")).await.contains("workers=1"));
    let copy_all = copy(&sandbox, ", expect_urls 20000");
    let published = retry(1, || sandbox.try_run(&copy_all)).await;
    assert_eq!(published.unwrap()[0].num_rows(), 1);

    workers[0].kill();
    let error = sandbox.try_run(&copy(&sandbox, "")).await.unwrap_err();
    assert!(is_lost_worker(&error));
    let message = error.strip_backtrace();
    assert!(
        message.starts_with(
            "Execution error: no worker answers: Execution error: lost the worker `http://127.0.0.1:"
        ),
        "{message}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_are_found_by_their_name_with_threads() {
    let worker = Running::start();
    let sandbox = sandbox(&worker.url.replace("http://127.0.0.1", "dns:localhost"), 2).await;
    let folder = source(&sandbox).await;
    with_table(&sandbox, &folder).await;
    assert_eq!(sandbox.number("SELECT count(DISTINCT loc) FROM pages").await, 20_000);
    assert!(plan(&sandbox, "SELECT count(DISTINCT loc) FROM pages").await.contains("workers=1"));
}

#[test]
fn lists_of_workers() {
    for (list, message) in [
        ("", "the list of workers is empty"),
        (" , ", "the list of workers is empty"),
        ("10.0.0.7:8080", "`10.0.0.7:8080` is not a worker; write `http://HOST:PORT` or `dns:NAME:PORT`"),
        ("https://10.0.0.7", "`https://10.0.0.7` is not a worker"),
        ("http://me@10.0.0.7", "is not a worker"),
        ("http://10.0.0.7/path", "is not a worker"),
        ("dns:workers", "`dns:workers` is not a worker"),
        ("dns:workers:http", "`dns:workers:http` is not a worker"),
        ("dns:http://workers:80", "is not a worker"),
    ] {
        let error = list.parse::<Workers>().unwrap_err().to_string();
        assert!(error.contains(message), "{list}: {error}");
    }
}
