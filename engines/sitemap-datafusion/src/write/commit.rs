//! The last node of the plan: a single task that publishes the shards of all writers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{ArrayRef, AsArray as _, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
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
use sitemap_core::publish::{ShardCommit, ShardRow};

use super::error::failed;
use super::options::Destination;

/// The plan node that publishes shards. Each input row names one shard. It returns the number of published URLs.
#[derive(Debug)]
pub(crate) struct CommitExec {
    input: Arc<dyn ExecutionPlan>,
    destination: Destination,
    properties: Arc<PlanProperties>,
}

fn count_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![Field::new("count", DataType::UInt64, false)]))
}

impl CommitExec {
    pub(crate) fn new(input: Arc<dyn ExecutionPlan>, destination: Destination) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(count_schema()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Self { input, destination, properties: Arc::new(properties) }
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
        Ok(Arc::new(Self::new(children.swap_remove(0), self.destination.clone())))
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
        let rows = self.input.execute(0, context)?;
        let published = publish(rows, self.destination.clone());
        Ok(Box::pin(RecordBatchStreamAdapter::new(count_schema(), futures::stream::once(published))))
    }
}

async fn publish(mut rows: SendableRecordBatchStream, destination: Destination) -> Result<RecordBatch> {
    let options = &destination.options;
    let mut commit = ShardCommit::new(options.builder()?).allow_shrink(options.allow_shrink());
    if let Some(urls) = options.expect_urls {
        commit = commit.expect_urls(urls);
    }
    if let Some(days) = options.remove_uncommitted {
        commit = commit.remove_uncommitted(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
    }
    while let Some(batch) = rows.next().await {
        let batch = batch?;
        for line in batch.column(0).as_string::<i32>().iter().flatten() {
            let row: ShardRow = line.parse().map_err(|error| exec_datafusion_err!("{error}"))?;
            commit.add(row).map_err(failed)?;
        }
    }
    let target = destination.target();
    let publish = SpawnedTask::spawn_blocking(move || target.publish(commit));
    let summary =
        publish.join().await.map_err(|error| DataFusionError::External(Box::new(error)))?.map_err(failed)?;
    let (files, indexes) = (summary.files().len(), summary.indexes().len());
    log::info!("published: {} URLs in {files} files, {indexes} indexes", summary.urls());
    let count = Arc::new(UInt64Array::from(vec![summary.urls()])) as ArrayRef;
    Ok(RecordBatch::try_new(count_schema(), vec![count])?)
}
