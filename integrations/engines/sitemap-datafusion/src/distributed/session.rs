//! Sessions whose statements run on workers.

use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::SessionContext;
use datafusion_distributed::{DistributedExt as _, SessionStateBuilderExt as _};
use std::sync::Arc;

use super::planner::Planner;
use super::scan;
use super::workers::Workers;
use crate::codec::SitemapCodec;
use crate::session::{Spill, config, register, runtime};

/// Creates a session like [`session_with`](crate::session_with) whose statements run on workers.
///
/// `partitions` is the number of concurrent tasks on each worker, at least 2. The memory and disk limits apply to this
/// process, which commits the sets; each [`Worker`](super::Worker) has its own limits.
///
/// The workers are looked up again for each statement. Use [`retry`](super::retry) to repeat a statement that loses
/// one.
///
/// ```
/// use std::net::TcpListener;
///
/// use sitemap_datafusion::Spill;
/// use sitemap_datafusion::distributed::{Worker, Workers, retry, session_with_workers};
///
/// # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
/// # let dir = tempfile::tempdir().unwrap();
/// # let out = dir.path().display();
/// // Usually, the workers are on other machines.
/// let listener = TcpListener::bind("127.0.0.1:0")?;
/// let address = listener.local_addr()?;
/// let worker = Worker::new(256 * 1024 * 1024, Spill::default())?;
/// tokio::spawn(async move { worker.serve(listener, std::future::pending()).await });
///
/// let workers: Workers = format!("http://{address}").parse()?;
/// let session = session_with_workers(256 * 1024 * 1024, Some(2), Spill::default(), workers)?;
/// # session.sql(&format!("COPY (SELECT 'https://www.example.com/' || value AS loc FROM generate_series(1, 10)) TO '{out}/pages.parquet'")).await?.collect().await?;
/// # session.sql("SET distributed.file_scan_config_bytes_per_partition = 1").await?;
/// session
///     .sql(&format!("CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '{out}/pages.parquet'"))
///     .await?;
/// let copy = format!(
///     "COPY (SELECT loc FROM pages) TO '{out}/' STORED AS SITEMAP
///      OPTIONS (base 'https://www.example.com', buckets 4, expect_urls 10)"
/// );
/// retry(3, || async { session.sql(&copy).await?.collect().await }).await?;
/// # assert!(dir.path().join("sitemap.xml").exists());
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
///
/// # Errors
///
/// Returns an error if the folder for spilled rows does not exist.
pub fn session_with_workers(
    memory: usize,
    partitions: Option<usize>,
    spill: Spill,
    workers: Workers,
) -> Result<SessionContext> {
    /// How many bytes of a table are worth a separate task. A megabyte of Parquet contains about 50,000 pages.
    const BYTES_FOR_TASK: usize = 1024 * 1024;

    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // With only one partition, a plan's rows are not distributed by hash bucket.
    let partitions = partitions.unwrap_or(cores).max(2);
    let config = config(memory, Some(partitions))
        .with_distributed_user_codec(SitemapCodec)
        .with_distributed_channel_resolver(workers.channels.clone())
        .with_distributed_worker_resolver(workers.clone())
        .with_distributed_desired_task_count_handler(scan::tasks)
        .with_distributed_scale_up_leaf_node_handler(scan::share)
        .with_distributed_file_scan_config_bytes_per_partition(BYTES_FOR_TASK)?;
    let runtime = runtime(memory, partitions, spill)?;
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config)
        .with_runtime_env(runtime)
        // This adds what the planner needs to the configuration.
        .with_distributed_planner()
        .with_query_planner(Arc::new(Planner { workers }));
    let session = SessionContext::new_with_state(state.build());
    register(&session)?;
    Ok(session)
}
