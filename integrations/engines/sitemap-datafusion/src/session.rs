//! Sessions with this crate's statements and functions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::loc::sitemap_loc;
use crate::memory::Memory;
use crate::read::SitemapTableFactory;
use crate::write::SitemapFormatFactory;

/// Adds `STORED AS SITEMAP` for `COPY` and `CREATE EXTERNAL TABLE`, and the function [`sitemap_loc`].
///
/// See the [crate docs](crate) for an example.
///
/// # Errors
///
/// Returns an error if the session already has a file format with the extension `sitemap`.
pub fn register(session: &SessionContext) -> Result<()> {
    session.register_udf(sitemap_loc());
    let state = session.state_ref();
    let mut state = state.write();
    state.register_file_format(Arc::new(SitemapFormatFactory), false)?;
    state.table_factories_mut().insert("SITEMAP".to_owned(), Arc::new(SitemapTableFactory));
    Ok(())
}

/// Creates a session with a memory limit and the statements that [`register`] adds.
///
/// `memory` is the limit of a query in bytes; rows beyond it spill to disk. `partitions` is the number of concurrent
/// tasks, by default one per core.
///
/// With the feature `buckets`, tables may be at `s3://…`, `gs://…` or `az://…`. The credentials come from the
/// environment.
///
/// ```
/// # fn main() -> datafusion::error::Result<()> {
/// let session = sitemap_datafusion::session(256 * 1024 * 1024, Some(2))?;
///
/// assert_eq!(session.copied_config().target_partitions(), 2);
/// assert_eq!(session.runtime_env().memory_pool.to_string(), "268435456 bytes");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if there is no folder for temporary files.
pub fn session(memory: usize, partitions: Option<usize>) -> Result<SessionContext> {
    session_with(memory, partitions, Spill::default())
}

/// Where a query spills rows to disk, and how many bytes it may spill. A session deletes its spilled rows when it is
/// dropped.
///
/// For a billion rows with URLs of 50 bytes, a `COPY` needs about 75 GB, and a sort 80 to 90 GB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spill {
    folder: Option<PathBuf>,
    limit: Option<u64>,
}

impl Spill {
    /// Sets the folder, which must exist. Default: the operating system's folder for temporary files.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Sets the maximum size in bytes. A query that needs more fails. Default: 100 GB.
    #[must_use]
    pub fn limit(mut self, bytes: u64) -> Self {
        self.limit = Some(bytes);
        self
    }
}

fn no_folder<T>(folder: &Path) -> Result<T> {
    plan_err!("the folder `{}` for spilled rows does not exist; create it", folder.display())
}

/// Creates a session like [`session`], with settings for spilled rows.
///
/// ```
/// # fn main() -> datafusion::error::Result<()> {
/// use sitemap_datafusion::{Spill, session_with};
///
/// let spill = Spill::default().folder(std::env::temp_dir()).limit(200_000_000_000);
/// let session = session_with(256 * 1024 * 1024, Some(2), spill)?;
///
/// assert_eq!(session.runtime_env().disk_manager.max_temp_directory_size(), 200_000_000_000);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if the folder does not exist.
pub fn session_with(memory: usize, partitions: Option<usize>, spill: Spill) -> Result<SessionContext> {
    let config = config(memory, partitions);
    let runtime = runtime(memory, config.target_partitions(), spill)?;
    let session = SessionContext::new_with_config_rt(config, runtime);
    register(&session)?;
    Ok(session)
}

/// Returns the configuration of a session with this memory limit.
pub(crate) fn config(memory: usize, partitions: Option<usize>) -> SessionConfig {
    let mut config = SessionConfig::new();
    if let Some(partitions) = partitions {
        config = config.with_target_partitions(partitions);
    }
    set_for_memory(&mut config, memory);
    config
}

/// Sets everything that depends on the memory limit.
pub(crate) fn set_for_memory(config: &mut SessionConfig, memory: usize) {
    /// The memory that a task needs to merge spilled rows, in bytes. This is DataFusion's default.
    const FOR_MERGING: usize = 10 * 1024 * 1024;
    const BYTES_PER_ROW: usize = 24 * 1024;

    // Each sort reserves this much memory, and a task of a query with joins runs several sorts.
    let for_merging = FOR_MERGING.min(memory / config.target_partitions() / 16);
    // A merge keeps one batch of each sorted run in memory, so a small memory limit requires small batches.
    let batch_size = (memory / BYTES_PER_ROW).clamp(512, 8_192);
    *config =
        std::mem::take(config).with_sort_spill_reservation_bytes(for_merging).with_batch_size(batch_size);
}

/// Creates the memory limit, the disk settings and the bucket registry of a session.
pub(crate) fn runtime(memory: usize, partitions: usize, spill: Spill) -> Result<Arc<RuntimeEnv>> {
    let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(Memory::new(memory, partitions)));
    let runtime = match spill.folder {
        Some(folder) if !folder.is_dir() => return no_folder(&folder),
        Some(folder) => runtime.with_temp_file_path(folder),
        None => runtime,
    };
    let runtime = match spill.limit {
        Some(bytes) => runtime.with_max_temp_directory_size(bytes),
        None => runtime,
    };
    let runtime = runtime.with_object_store_registry(Arc::new(crate::buckets::Buckets::default()));
    runtime.build_arc()
}
