//! The last step of a `COPY`: a single task that publishes the shards from all writers.

use std::collections::HashSet;
use std::time::Duration;

use datafusion::arrow::array::AsArray as _;
use datafusion::arrow::datatypes::UInt64Type;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{exec_datafusion_err, exec_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt as _;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::files::section_of;
use sitemap_core::publish::shards::{PublishedShards, ShardCommit, ShardRow};

use super::error::failed;
use super::options::{Destination, Mode, Options};
use super::report::Report;

/// Publishes the shards that `rows` describe.
pub(super) async fn publish(
    rows: impl FnOnce() -> Result<SendableRecordBatchStream>,
    destination: Destination,
) -> Result<RecordBatch> {
    // Read the set before the rows. If another statement changes the set in the meantime, its rows may be newer than
    // ours.
    let begin = destination.clone();
    let published = on_thread(move || read_published(&begin)).await?;
    let mut guard = BucketGuard::new(published.as_ref(), &destination);
    if !destination.options.has_sections {
        guard.check(&destination.options.section)?;
    }
    let mut rows = rows()?;
    let options = &destination.options;
    let mut commit = ShardCommit::new(options.builder()?).allow_shrink(options.allow_shrink());
    if let Some(published) = &published {
        commit = commit.if_unchanged(published);
    }
    if let Some(urls) = options.expect_urls {
        commit = commit.expect_urls(urls);
    }
    if let Some(days) = options.remove_uncommitted {
        commit = commit.remove_uncommitted(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
    }
    let (mut invalid_rows, mut duplicate_rows) = (0, 0);
    while let Some(batch) = rows.next().await {
        let batch = batch?;
        let sum =
            |column: usize| batch.column(column).as_primitive::<UInt64Type>().iter().flatten().sum::<u64>();
        invalid_rows += sum(1);
        duplicate_rows += sum(3);
        for error in batch.column(2).as_string::<i32>().iter().flatten() {
            log::warn!("skipped: {error}");
        }
        for line in batch.column(0).as_string::<i32>().iter().flatten() {
            let row: ShardRow = line.parse().map_err(|error| exec_datafusion_err!("{error}"))?;
            guard.check(section_of(row.name()).unwrap_or_default())?;
            commit.add(row).map_err(failed)?;
        }
    }
    let target = destination.target();
    let summary =
        on_thread(move || commit.publish(target.storage().map_err(failed)?).map_err(failed)).await?;
    let (files, indexes) = (summary.files().len(), summary.indexes().len());
    log::info!("published: {} URLs in {files} files, {indexes} indexes", summary.urls());
    if summary.retries() > 0 {
        log::warn!("repeated: {} requests that failed while the set was published", summary.retries());
    }
    if !summary.kept_sections().is_empty() {
        log::info!(
            "kept: the sections `{}`, of which there is no row; remove them with `mode 'replace_all'`",
            summary.kept_sections().join("`, `")
        );
    }
    Report { count: summary.urls(), invalid_rows, duplicate_rows, ..Report::default() }
        .files(&summary)
        .batch()
}

/// Runs a blocking function on a thread that may block.
pub(super) async fn on_thread<T: Send + 'static>(
    run: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let ended = SpawnedTask::spawn_blocking(run).join().await;
    ended.map_err(|error| DataFusionError::External(Box::new(error)))?
}

/// Finishes an interrupted commit, and reads the published set. If the manifest is lost or damaged and the statement
/// replaces the whole set, returns `None`: the statement then repairs the set.
fn read_published(destination: &Destination) -> Result<Option<PublishedShards>> {
    let storage = destination.target().storage().map_err(failed)?;
    match PublishedShards::recover(storage, destination.options.builder()?.site()) {
        Ok(published) => Ok(Some(published)),
        Err(error) if matches!(error.kind(), PublishErrorKind::CannotKeep { .. }) => {
            if destination.options.mode != Mode::ReplaceAll {
                return Err(failed(error));
            }
            log::warn!("the published set cannot be compared with, and is replaced: {error}");
            Ok(None)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Refuses to change a section's number of hash buckets, because nearly all pages would move to other files.
struct BucketGuard<'p> {
    published: Option<&'p PublishedShards>,
    buckets: u32,
    is_allowed: bool,
    checked: HashSet<String>,
}

impl<'p> BucketGuard<'p> {
    fn new(published: Option<&'p PublishedShards>, destination: &Destination) -> Self {
        let Options { buckets, allow_rebucket, .. } = destination.options;
        Self { published, buckets, is_allowed: allow_rebucket, checked: HashSet::new() }
    }

    fn check(&mut self, section: &str) -> Result<()> {
        if self.checked.contains(section) {
            return Ok(());
        }
        self.checked.insert(section.to_owned());
        let found = self.published.and_then(|published| published.buckets(section));
        match found {
            Some(found) if found != self.buckets && !self.is_allowed => exec_err!(
                "section `{section}` is published with {found} buckets, but the statement has {}; write `buckets {found}`, \
                 or allow that nearly all pages move to other files with `OPTIONS (allow_rebucket true)`",
                self.buckets
            ),
            _ => Ok(()),
        }
    }
}
