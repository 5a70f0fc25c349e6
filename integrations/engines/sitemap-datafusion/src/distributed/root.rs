//! The top node of a distributed plan. It sends the session's settings to the workers.

use std::fmt;
use std::sync::Arc;

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::Result;
use datafusion::execution::memory_pool::MemoryLimit;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::execution_plan::{ChildrenPropertiesMode, ReplaceChildrenOptions};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion_distributed::DistributedExt as _;
use futures::StreamExt as _;

use super::settings;
use crate::write::{CommitExec, Outcome, UpdateExec};

/// The plan node above a distributed plan.
#[derive(Debug)]
pub(super) struct RootExec {
    input: Arc<dyn ExecutionPlan>,
    /// The number of workers.
    workers: usize,
}

impl RootExec {
    pub(super) fn new(input: Arc<dyn ExecutionPlan>, workers: usize) -> Self {
        Self { input, workers }
    }

    /// Returns the context with everything that the workers need to know.
    fn context(&self, context: &TaskContext) -> Result<TaskContext> {
        let config = context.session_config().clone();
        let headers = settings::headers(&config)?;
        let buffer = buffer(&context.memory_pool().memory_limit(), self.workers);
        let config = config
            .with_distributed_passthrough_headers(headers)?
            .with_distributed_worker_connection_buffer_budget_bytes(buffer)?;
        Ok(TaskContext::new(
            context.task_id(),
            context.session_id(),
            config,
            context.scalar_functions().clone(),
            context.higher_order_functions().clone(),
            context.aggregate_functions().clone(),
            context.window_functions().clone(),
            context.runtime_env(),
        ))
    }
}

/// Returns how many bytes may be buffered per connection to a worker. All connections of a task together use about one
/// sixteenth of its memory.
fn buffer(memory: &MemoryLimit, workers: usize) -> usize {
    const LEAST: usize = 1024 * 1024;
    const MOST: usize = 64 * 1024 * 1024;

    match memory {
        MemoryLimit::Finite(bytes) => (bytes / 16 / workers.max(1)).clamp(LEAST, MOST),
        _ => MOST,
    }
}

impl DisplayAs for RootExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: workers={}", self.name(), self.workers)
    }
}

impl ExecutionPlan for RootExec {
    fn name(&self) -> &'static str {
        "SitemapWorkersExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Self::new(children.swap_remove(0), self.workers)))
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
        let rows = self.input.execute(partition, Arc::new(self.context(&context)?))?;
        let Some(outcome) = outcome(&self.input) else { return Ok(rows) };
        // Once the set is published, losing a worker while we wait for its metrics doesn't make the statement fail. The
        // error may arrive before the result row.
        let schema = rows.schema();
        let row = rows.take(1).map(move |row| match (row, outcome.get()) {
            (Err(error), Some(row)) => {
                log::warn!("published in spite of an error after the commit: {}", error.strip_backtrace());
                Ok(row)
            }
            (row, _) => row,
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, row)))
    }
}

/// Returns the place where a publishing plan stores its result row.
fn outcome(plan: &Arc<dyn ExecutionPlan>) -> Option<Outcome> {
    if let Some(commit) = plan.downcast_ref::<CommitExec>() {
        return Some(commit.outcome().clone());
    }
    if let Some(update) = plan.downcast_ref::<UpdateExec>() {
        return Some(update.outcome().clone());
    }
    // The nodes above the publishing node all belong to the distributed plan.
    match &plan.children()[..] {
        [only] => outcome(only),
        _ => None,
    }
}
