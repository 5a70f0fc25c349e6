//! Sessions that know sitemaps.

use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::bucket::sitemap_bucket;
use crate::memory::Memory;
use crate::read::SitemapTableFactory;
use crate::write::SitemapFormatFactory;

/// Adds `STORED AS SITEMAP` for `COPY` and `CREATE EXTERNAL TABLE`, and the function `sitemap_bucket`; with the
/// feature `postgres` `STORED AS POSTGRES` for `CREATE EXTERNAL TABLE`.
///
/// # Errors
///
/// If the session has a file format of that name.
pub fn register(session: &SessionContext) -> Result<()> {
    session.register_udf(sitemap_bucket());
    let state = session.state_ref();
    let mut state = state.write();
    state.register_file_format(Arc::new(SitemapFormatFactory), false)?;
    let tables = state.table_factories_mut();
    tables.insert("SITEMAP".to_owned(), Arc::new(SitemapTableFactory));
    #[cfg(feature = "postgres")]
    tables.insert("POSTGRES".to_owned(), Arc::new(crate::sources::PostgresTableFactory));
    Ok(())
}

/// A new session with [`register`] done, whose queries hold at most so many bytes and sort the rest on disk.
///
/// With the feature `buckets`, tables may be in `s3://…`, `gs://…` and `az://…`, with the credentials of the
/// environment.
///
/// `partitions` is how many tasks work at once; `None`: one for each core. Each needs some 24 MiB to sort in.
///
/// # Errors
///
/// If there is no folder for temporary files.
pub fn session(memory: usize, partitions: Option<usize>) -> Result<SessionContext> {
    /// What a task needs to merge what comes back from the disk; DataFusion's own default.
    const FOR_MERGING: usize = 10 * 1024 * 1024;
    const BYTES_A_ROW: usize = 24 * 1024;

    let mut config = SessionConfig::new();
    if let Some(partitions) = partitions {
        config = config.with_target_partitions(partitions);
    }
    let for_merging = FOR_MERGING.min(memory / config.target_partitions() / 4);
    // Merging holds a batch of each part that was sorted, so batches are smaller where there is little.
    let batch_size = (memory / BYTES_A_ROW).clamp(512, 8_192);
    let config = config.with_sort_spill_reservation_bytes(for_merging).with_batch_size(batch_size);
    let runtime =
        RuntimeEnvBuilder::new().with_memory_pool(Arc::new(Memory::new(memory, config.target_partitions())));
    #[cfg(feature = "buckets")]
    let runtime = runtime.with_object_store_registry(Arc::new(crate::sources::Buckets::default()));
    let session = SessionContext::new_with_config_rt(config, runtime.build_arc()?);
    register(&session)?;
    Ok(session)
}
