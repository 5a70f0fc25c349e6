//! The first node of a distributed plan, which gives the workers the settings of the session.

use std::fmt;
use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::memory_pool::MemoryLimit;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion_distributed::DistributedExt as _;
use futures::StreamExt as _;

use super::settings;
use crate::around::Around;
use crate::write::{CommitExec, Outcome, UpdateExec};

/// The plan node above a distributed plan.
#[derive(Debug)]
pub(super) struct Root {
    /// The number of workers.
    pub(super) workers: usize,
}

impl Root {
    /// Returns the context with what the workers need to know.
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

/// Returns the number of bytes that may wait on a connection to a worker. All of a task's connections together hold about a
/// sixteenth of its memory.
fn buffer(memory: &MemoryLimit, workers: usize) -> usize {
    const LEAST: usize = 1024 * 1024;
    const MOST: usize = 64 * 1024 * 1024;

    match memory {
        MemoryLimit::Finite(bytes) => (bytes / 16 / workers.max(1)).clamp(LEAST, MOST),
        _ => MOST,
    }
}

impl Around for Root {
    const NAME: &'static str = "SitemapWorkersExec";

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "workers={}", self.workers)
    }

    fn execute(
        &self,
        input: &Arc<dyn ExecutionPlan>,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let rows = input.execute(partition, Arc::new(self.context(&context)?))?;
        let Some(outcome) = outcome(input) else { return Ok(rows) };
        // Once the set is published, a worker that is lost while its metrics are awaited is not an error of the statement. The
        // error may arrive before the row.
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

/// Returns where a plan that publishes a set leaves its row.
fn outcome(plan: &Arc<dyn ExecutionPlan>) -> Option<Outcome> {
    if let Some(commit) = plan.downcast_ref::<CommitExec>() {
        return Some(commit.outcome().clone());
    }
    if let Some(update) = plan.downcast_ref::<UpdateExec>() {
        return Some(update.outcome().clone());
    }
    // Only the nodes of the distributed plan are above.
    match &plan.children()[..] {
        [only] => outcome(only),
        _ => None,
    }
}
