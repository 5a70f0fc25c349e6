//! The plan of `mode 'update'`: a single task that changes pages of the published set.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::exec_err;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::Result;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Distribution, EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::distribution_requirements::InputDistributionRequirements;
use datafusion::physical_plan::execution_plan::{
    Boundedness, ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties};
use futures::StreamExt as _;
use sitemap_update::{Applied, Change, Update, UpdateError};

use super::columns::Pages;
use super::commit::on_thread;
use super::error::{failed, update_failed};
use super::options::Destination;
use super::report::{Outcome, Report};
use super::row::in_row;

/// The plan node that applies its rows to the published set. Returns a [`Report`].
#[derive(Debug)]
pub(crate) struct UpdateExec {
    input: Arc<dyn ExecutionPlan>,
    destination: Destination,
    outcome: Outcome,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl UpdateExec {
    pub(crate) fn new(input: Arc<dyn ExecutionPlan>, destination: Destination) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Report::schema()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        let metrics = ExecutionPlanMetricsSet::new();
        Self { input, destination, outcome: Outcome::default(), properties: Arc::new(properties), metrics }
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

impl DisplayAs for UpdateExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SitemapUpdateExec: base={}, to={}", self.destination.options.base, self.destination.url)
    }
}

impl ExecutionPlan for UpdateExec {
    fn name(&self) -> &'static str {
        "SitemapUpdateExec"
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

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        if partition != 0 {
            return exec_err!("the update has no partition {partition}");
        }
        let reservation = MemoryConsumer::new("SitemapUpdateExec").register(context.memory_pool());
        let rows = self.input.execute(0, context)?;
        let skipped = MetricBuilder::new(&self.metrics).counter("skipped", 0);
        let collected = Collector::new(self.destination.clone(), reservation, skipped)?;
        let updated = update(rows, collected);
        let outcome = self.outcome.clone();
        outcome.set(None);
        let updated = async move {
            let row = updated.await?;
            outcome.set(Some(row.clone()));
            Ok(row)
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(Report::schema(), futures::stream::once(updated))))
    }
}

async fn update(mut rows: SendableRecordBatchStream, mut changes: Collector) -> Result<RecordBatch> {
    while let Some(batch) = rows.next().await {
        changes.add(&batch?)?;
    }
    let Collector { update, destination, reservation, skipped } = changes;
    let invalid_rows = skipped.value() as u64;
    let applied = on_thread(move || {
        let storage = destination.target().storage().map_err(failed)?;
        update.run(storage).map_err(|error| update_failed(error, &destination))
    })
    .await?;
    drop(reservation);
    report(&applied);
    let count = applied.added() + applied.changed() + applied.removed();
    let written = Report { count, invalid_rows, ..Report::default() };
    applied.summary().map_or(written, |summary| written.files(summary)).batch()
}

fn report(applied: &Applied) {
    log::info!(
        "updated: {} pages added, {} changed, {} removed, {} unchanged, {} unknown removals; {} files read, {} written, {} \
         restarts",
        applied.added(),
        applied.changed(),
        applied.removed(),
        applied.unchanged(),
        applied.unknown_removals(),
        applied.files_read(),
        applied.files_written(),
        applied.restarts()
    );
    match applied.summary() {
        Some(summary) => {
            log::info!("published: {} URLs in {} files", summary.urls(), summary.files().len());
            if summary.retries() > 0 {
                log::warn!("repeated: {} requests that failed during the update", summary.retries());
            }
        }
        None => log::info!("no page has changed, so nothing was published"),
    }
}

/// Collects an update's rows, which stay in memory until the update is published.
struct Collector {
    update: Update,
    destination: Destination,
    reservation: MemoryReservation,
    skipped: Count,
}

impl Collector {
    fn new(destination: Destination, reservation: MemoryReservation, skipped: Count) -> Result<Self> {
        let options = &destination.options;
        let mut update = Update::new(options.builder()?).allow_shrink(options.allow_shrink());
        if !options.section.is_empty() {
            update = update.section(&options.section);
        }
        if let Some(days) = options.remove_uncommitted {
            update = update.remove_uncommitted(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
        }
        Ok(Self { update, destination, reservation, skipped })
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        self.reserve(batch)?;
        let pages = Pages::new(batch)?;
        let site = self.destination.options.builder()?.site().clone();
        for row in 0..batch.num_rows() {
            let page = pages.row(row);
            let change = page.entry(&site).and_then(|entry| match pages.removes(row) {
                Ok(true) => Ok(Change::Remove(entry.loc().clone().into_owned())),
                Ok(false) => Ok(Change::Upsert(entry.into_owned())),
                Err(error) => Err(in_row(page.loc.unwrap_or_default(), error)),
            });
            let added = change.map_err(|error| error.to_string()).and_then(|change| {
                self.add_change(pages.section(row), change).map_err(|error| error.to_string())
            });
            match added {
                Ok(None) => {}
                Ok(Some(page)) => {
                    return exec_err!(
                        "the rows have two different changes of the page {page:?}; keep the last one, for example with \
                         `row_number() OVER (PARTITION BY loc ORDER BY … DESC)`"
                    );
                }
                Err(error) if self.destination.options.skip_invalid => {
                    self.skipped.add(1);
                    log::warn!("skipped: {error}");
                }
                Err(error) => return exec_err!("{error}"),
            }
        }
        Ok(())
    }

    /// Adds a change. If an earlier row changes the same page differently, returns the page: rows have no order, so we
    /// can't tell which change is the last.
    fn add_change(&mut self, section: Option<&str>, change: Change) -> Result<Option<String>, UpdateError> {
        match self.update.change(section, change.loc()) {
            Some(other) if other != change => return Ok(Some(change.loc().to_string())),
            Some(_) => return Ok(None),
            None => {}
        }
        match section {
            Some(section) => self.update.add_to(section, change)?,
            None => self.update.add(change)?,
        }
        Ok(None)
    }

    /// Reserves memory for a batch's changes.
    fn reserve(&mut self, batch: &RecordBatch) -> Result<()> {
        /// The size of a change without its URL, in bytes.
        const CHANGE: usize = 300;

        let bytes = batch.get_array_memory_size() + batch.num_rows() * CHANGE;
        self.reservation.try_grow(bytes).map_err(|error| {
            error.context(
                "the rows of an update do not fit in memory; update with fewer rows at a time, publish all rows with `mode \
                 'replace'`, or give the query more memory, for example with `sitemap-sql --memory`",
            )
        })
    }
}
