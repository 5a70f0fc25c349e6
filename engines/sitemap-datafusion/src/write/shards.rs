//! The plan node that writes shards, with one task for each partition.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array as _, ArrayRef, AsArray as _, StringArray, UInt32Array, UInt64Array, new_null_array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt32Type};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::col;
use datafusion::physical_expr::{
    Distribution, EquivalenceProperties, LexOrdering, OrderingRequirements, PhysicalExpr, PhysicalSortExpr,
};
use datafusion::physical_plan::distribution_requirements::InputDistributionRequirements;
use datafusion::physical_plan::execution_plan::{
    Boundedness, ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, Partitioning, PlanProperties,
};
use futures::StreamExt as _;
use sitemap_core::Storage;
use sitemap_core::publish::{ShardRow, ShardWriter};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::bucket::BucketRows;
use super::columns::{BUCKET, Pages, SECTION};
use super::error::failed;
use super::options::Destination;

/// The plan node that writes shards from rows that are sorted by section, if they have one, and by hash bucket. It returns
/// a manifest row for each shard.
#[derive(Debug)]
pub(crate) struct WriteExec {
    input: Arc<dyn ExecutionPlan>,
    destination: Destination,
    bucket: Arc<dyn PhysicalExpr>,
    order: LexOrdering,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

/// Returns the schema of what the writing tasks send to the commit: the manifest rows, each of which is a line of JSON, the
/// numbers of invalid rows that were skipped, and the errors of the first of them.
pub(super) fn row_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("row", DataType::Utf8, true),
        Field::new("skipped", DataType::UInt64, true),
        Field::new("error", DataType::Utf8, true),
    ]))
}

impl WriteExec {
    pub(crate) const NAME: &str = "SitemapWriteExec";

    pub(crate) fn try_new(input: Arc<dyn ExecutionPlan>, destination: Destination) -> Result<Self> {
        let schema = input.schema();
        let bucket = col(BUCKET, &schema)?;
        // A task writes one section after another, so that it has one open shard.
        let section = schema.index_of(SECTION).is_ok().then(|| col(SECTION, &schema)).transpose()?;
        let keys = section.into_iter().chain([Arc::clone(&bucket)]).map(PhysicalSortExpr::new_default);
        let order = LexOrdering::new(keys)
            .ok_or_else(|| DataFusionError::Internal("the sort order is empty".to_owned()))?;
        let partitions = input.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(row_schema()),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(Self {
            input,
            destination,
            bucket,
            order,
            properties: Arc::new(properties),
            metrics: ExecutionPlanMetricsSet::new(),
        })
    }

    pub(crate) fn destination(&self) -> &Destination {
        &self.destination
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

    fn required_input_ordering(&self) -> Vec<Option<OrderingRequirements>> {
        vec![Some(self.order.clone().into())]
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
        // The node evaluates no expressions: `bucket` and `order` only say how its input must be partitioned and
        // sorted.
        Ok(TreeNodeRecursion::Continue)
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        /// The maximum number of sorted batches that wait while a shard is compressed.
        const WAITING: usize = 2;

        let bucket = BucketRows::new(&context, format!("{}[{partition}]", Self::NAME));
        let mut input = self.input.execute(partition, context)?;
        let task = Task {
            destination: self.destination.clone(),
            skipped: MetricBuilder::new(&self.metrics).counter("skipped", partition),
            urls: MetricBuilder::new(&self.metrics).output_rows(partition),
        };
        let mut output = RecordBatchReceiverStreamBuilder::new(row_schema(), WAITING);
        let rows = output.tx();
        let (to, from) = channel(WAITING);
        // Compressing and storing a shard blocks, so it happens on a blocking thread.
        output.spawn_blocking(move || task.run(from, bucket, &rows));
        output.spawn(async move {
            while let Some(batch) = input.next().await {
                // Sending fails only if the writer has failed, and the writer reports its own error.
                if to.send(Some(batch?)).await.is_err() {
                    return Ok(());
                }
            }
            // `None` marks the end of the rows. A cancelled query never sends `None`, so the writer does not finish a
            // shard that lacks rows.
            to.send(None).await.ok();
            Ok(())
        });
        Ok(output.build())
    }
}

/// The section and the hash bucket whose rows arrive.
#[derive(Debug)]
struct Open {
    section: String,
    number: u32,
    shards: ShardWriter,
    /// The storage of the shards, which counts the requests that it repeats.
    storage: Arc<dyn Storage>,
}

#[derive(Debug)]
struct Task {
    destination: Destination,
    skipped: Count,
    urls: Count,
}

impl Task {
    fn run(
        self,
        mut from: Receiver<Option<RecordBatch>>,
        mut bucket: BucketRows,
        rows: &Sender<Result<RecordBatch>>,
    ) -> Result<()> {
        let mut open: Option<Open> = None;
        while let Some(batch) = from.blocking_recv() {
            let Some(batch) = batch else {
                return open.map_or(Ok(()), |open| self.finish(open, &mut bucket, rows));
            };
            let (pages, numbers) = (Pages::new(&batch)?, bucket_numbers(&batch)?);
            for row in 0..batch.num_rows() {
                let (section, number) = (self.section(&pages, row), numbers.value(row));
                match &mut open {
                    Some(open) if open.number == number && open.section == section => {}
                    Some(open) if open.section == section => {
                        bucket.write(open.number, &mut open.shards)?;
                        open.number = number;
                        self.send(&open.shards.take_rows(), rows)?;
                    }
                    _ => {
                        if let Some(open) = open.take() {
                            self.finish(open, &mut bucket, rows)?;
                        }
                        open = Some(self.open(section, number)?);
                    }
                }
                bucket.push(pages.loc(row), pages.values(row), pages.extras(row));
            }
            bucket.reserve()?;
        }
        Ok(())
    }

    /// Returns the section of a row. A row whose section is `NULL` is invalid, so its section does not matter.
    fn section<'r>(&'r self, pages: &'r Pages, row: usize) -> &'r str {
        pages.section(row).unwrap_or(&self.destination.options.section)
    }

    /// Opens the storage, for the first row of a section. A partition without rows never opens it.
    fn open(&self, section: &str, number: u32) -> Result<Open> {
        let Destination { options, .. } = &self.destination;
        let storage = self.destination.target().storage().map_err(failed)?;
        let shards = options.builder()?.write_shards(Arc::clone(&storage), section, options.buckets);
        Ok(Open { section: section.to_owned(), number, shards: shards.map_err(failed)?, storage })
    }

    /// Writes the last hash bucket of a section.
    fn finish(
        &self,
        mut open: Open,
        bucket: &mut BucketRows,
        rows: &Sender<Result<RecordBatch>>,
    ) -> Result<()> {
        bucket.write(open.number, &mut open.shards)?;
        let written = open.shards.finish().map_err(failed)?;
        self.skipped.add(usize::try_from(written.skipped()).unwrap_or(usize::MAX));
        if written.skipped() > 0 {
            let errors: StringArray =
                written.skipped_records().iter().map(|skipped| Some(skipped.error().to_string())).collect();
            let none = |len| new_null_array(&DataType::Utf8, len);
            let count = Arc::new(UInt64Array::from(vec![written.skipped()]));
            send(vec![none(1), count, none(1)], rows)?;
            let len = errors.len();
            send(vec![none(len), new_null_array(&DataType::UInt64, len), Arc::new(errors)], rows)?;
        }
        let retries = open.storage.retries();
        if retries > 0 {
            log::warn!(
                "repeated: {retries} requests that failed while shards of `{}` were written",
                open.section
            );
        }
        self.send(written.rows(), rows)
    }

    fn send(&self, written: &[ShardRow], rows: &Sender<Result<RecordBatch>>) -> Result<()> {
        if written.is_empty() {
            return Ok(());
        }
        self.urls.add(usize::try_from(written.iter().map(ShardRow::urls).sum::<u64>()).unwrap_or(usize::MAX));
        let lines: StringArray = written.iter().map(|row| Some(row.to_string())).collect();
        let none = |kind| new_null_array(&kind, lines.len());
        send(vec![Arc::new(lines.clone()), none(DataType::UInt64), none(DataType::Utf8)], rows)
    }
}

fn send(columns: Vec<ArrayRef>, rows: &Sender<Result<RecordBatch>>) -> Result<()> {
    let batch = RecordBatch::try_new(row_schema(), columns)?;
    // Sending fails only if the query has ended, and then nothing needs the rows.
    rows.blocking_send(Ok(batch)).ok();
    Ok(())
}

fn bucket_numbers(batch: &RecordBatch) -> Result<&UInt32Array> {
    let column = batch.column_by_name(BUCKET).and_then(|column| column.as_primitive_opt::<UInt32Type>());
    column.ok_or_else(|| DataFusionError::Internal("the rows have no column `bucket`".to_owned()))
}
