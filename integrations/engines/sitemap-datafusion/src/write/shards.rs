//! The plan node that writes shards, with one task per partition.

use std::fmt;
use std::sync::Arc;

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::col;
use datafusion::physical_expr::{Distribution, EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::distribution_requirements::InputDistributionRequirements;
use datafusion::physical_plan::execution_plan::{
    Boundedness, ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, Partitioning, PlanProperties,
};
use futures::StreamExt as _;
use tokio::sync::mpsc::channel;

use super::bucket::BucketRows;
use super::columns::BUCKET;
use super::gather::Gather;
use super::options::Destination;
use super::task::{SharedPublished, Task, row_schema};

/// The plan node that writes shards from rows that are partitioned by hash bucket. Returns a manifest row for each
/// shard.
#[derive(Debug)]
pub(crate) struct WriteExec {
    input: Arc<dyn ExecutionPlan>,
    destination: Destination,
    published: SharedPublished,
    bucket: Arc<dyn PhysicalExpr>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl WriteExec {
    pub(crate) const NAME: &str = "SitemapWriteExec";

    pub(crate) fn try_new(input: Arc<dyn ExecutionPlan>, destination: Destination) -> Result<Self> {
        let schema = input.schema();
        let bucket = col(BUCKET, &schema)?;
        let partitions = input.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(row_schema()),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Ok(Self {
            input,
            destination,
            published: SharedPublished::default(),
            bucket,
            properties: Arc::new(properties),
            metrics: ExecutionPlanMetricsSet::new(),
        })
    }
}

impl DisplayAs for WriteExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = &self.destination.options;
        write!(
            f,
            "{}: section={}, buckets={}, to={}",
            Self::NAME,
            options.section,
            options.buckets,
            self.destination.url
        )
    }
}

impl ExecutionPlan for WriteExec {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn required_input_distribution(&self) -> Vec<Distribution> {
        self.input_distribution_requirements().into_per_child()
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        InputDistributionRequirements::new(vec![Distribution::KeyPartitioned(vec![Arc::clone(&self.bucket)])])
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Self::try_new(children.swap_remove(0), self.destination.clone())?))
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
        // This node evaluates no expressions; `bucket` only describes how its input must be partitioned.
        Ok(TreeNodeRecursion::Continue)
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        /// The maximum number of batches that wait while others are being collected.
        const WAITING: usize = 2;

        let name = || format!("{}[{partition}]", Self::NAME);
        let mut input = self.input.execute(partition, Arc::clone(&context))?;
        let task = Task {
            destination: self.destination.clone(),
            published: self.published.clone(),
            gather: Gather::new(&context, name(), self.destination.options.buckets),
            bucket: BucketRows::new(&context, name()),
            skipped: MetricBuilder::new(&self.metrics).counter("skipped", partition),
            unchanged: MetricBuilder::new(&self.metrics).counter("unchanged_buckets", partition),
            urls: MetricBuilder::new(&self.metrics).output_rows(partition),
        };
        let mut output = RecordBatchReceiverStreamBuilder::new(row_schema(), WAITING);
        let rows = output.tx();
        let (to, from) = channel(WAITING);
        // Compressing and storing a shard blocks, so do it on a blocking thread.
        output.spawn_blocking(move || task.run(from, &rows));
        output.spawn(async move {
            while let Some(batch) = input.next().await {
                // Sending only fails if the writer has failed, and the writer reports its own error.
                if to.send(Some(batch?)).await.is_err() {
                    return Ok(());
                }
            }
            // `None` marks the end of the rows. A cancelled query never sends it, so the writer doesn't write
            // incomplete shards.
            to.send(None).await.ok();
            Ok(())
        });
        Ok(output.build())
    }
}
