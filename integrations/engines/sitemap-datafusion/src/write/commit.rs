//! The last node of the plan: a single task that publishes the shards from all writers.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::AsArray as _;
use datafusion::arrow::datatypes::UInt64Type;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{exec_datafusion_err, exec_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Distribution, EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::distribution_requirements::InputDistributionRequirements;
use datafusion::physical_plan::execution_plan::{
    Boundedness, ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties};
use futures::StreamExt as _;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::files::section_of;
use sitemap_core::publish::shards::{PublishedShards, ShardCommit, ShardRow};

use super::error::failed;
use super::options::{Destination, Mode, Options};
use super::report::{Outcome, Report};

/// The plan node that publishes shards. Each input row describes one shard. Returns a [`Report`].
#[derive(Debug)]
pub(crate) struct CommitExec {
    input: Arc<dyn ExecutionPlan>,
    destination: Destination,
    outcome: Outcome,
    properties: Arc<PlanProperties>,
}

impl CommitExec {
    pub(crate) fn new(input: Arc<dyn ExecutionPlan>, destination: Destination) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Report::schema()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Self { input, destination, outcome: Outcome::default(), properties: Arc::new(properties) }
    }

    /// Returns the result row of the last execution, if it published the set.
    #[cfg(feature = "distributed")]
    pub(crate) fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    pub(crate) fn destination(&self) -> &Destination {
        &self.destination
    }
}

impl DisplayAs for CommitExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SitemapCommitExec: base={}, to={}", self.destination.options.base, self.destination.url)
    }
}

impl ExecutionPlan for CommitExec {
    fn name(&self) -> &'static str {
        "SitemapCommitExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn required_input_distribution(&self) -> Vec<Distribution> {
        self.input_distribution_requirements().into_per_child()
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        InputDistributionRequirements::new(vec![Distribution::SinglePartition])
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let node = Self::new(children.swap_remove(0), self.destination.clone());
        Ok(Arc::new(Self { outcome: self.outcome.clone(), ..node }))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        if partition != 0 {
            return exec_err!("the commit has no partition {partition}");
        }
        let published = publish(Arc::clone(&self.input), context, self.destination.clone());
        let outcome = self.outcome.clone();
        outcome.set(None);
        let published = async move {
            let row = published.await?;
            outcome.set(Some(row.clone()));
            Ok(row)
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(Report::schema(), futures::stream::once(published))))
    }
}

async fn publish(
    input: Arc<dyn ExecutionPlan>,
    context: Arc<TaskContext>,
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
    let mut rows = input.execute(0, context)?;
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
    let mut invalid_rows = 0;
    while let Some(batch) = rows.next().await {
        let batch = batch?;
        let skipped = batch.column(1).as_primitive::<UInt64Type>().iter().flatten();
        invalid_rows += skipped.sum::<u64>();
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
    Report { count: summary.urls(), invalid_rows, ..Report::default() }.files(&summary).batch()
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
            if destination.options.mode() != Mode::ReplaceAll {
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
