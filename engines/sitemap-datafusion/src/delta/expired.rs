//! Errors of changes that the table no longer has.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use datafusion::common::exec_datafusion_err;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::object_store;
use datafusion::parquet::errors::ParquetError;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::execution_plan::{ChildrenPropertiesMode, ReplaceChildrenOptions};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use deltalake_core::DeltaTableError;
use futures::TryStreamExt as _;

/// Names the remedy of an error if it means that the changes since a version are not complete any more: the log has lost
/// versions, or `VACUUM` has removed files of changed rows.
pub(super) fn explain(error: DataFusionError, since: u64) -> DataFusionError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(found) = cause {
        if is_feed_off(found) {
            return exec_datafusion_err!(
                "what changed since version {since} is not recorded: {found}; set `delta.enableChangeDataFeed` of the table, \
                 and publish all rows again"
            );
        }
        if is_gone(found) {
            return exec_datafusion_err!(
                "what changed since version {since} has expired: {found}; publish all rows again, from a table without \
                 `changes_since`"
            );
        }
        cause = found.source();
    }
    error
}

fn is_feed_off(error: &(dyn Error + 'static)) -> bool {
    matches!(
        error.downcast_ref(),
        Some(DeltaTableError::ChangeDataNotEnabled { .. } | DeltaTableError::ChangeDataNotRecorded { .. })
    )
}

fn is_gone(error: &(dyn Error + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(DeltaTableError::InvalidVersion(_)))
        || matches!(error.downcast_ref(), Some(object_store::Error::NotFound { .. }))
        || is_text_of_not_found(error)
}

/// Recognises `object_store::Error::NotFound` by its text, because the reader of Parquet keeps only the text of its cause.
fn is_text_of_not_found(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<ParquetError>().is_some_and(|error| {
        let text = error.to_string();
        text.contains("Object at location ") && text.contains(" not found")
    })
}

/// Passes on the rows of changes, and explains their errors.
#[derive(Debug)]
pub(super) struct ExplainExec {
    input: Arc<dyn ExecutionPlan>,
    since: u64,
}

impl ExplainExec {
    pub(super) fn new(input: Arc<dyn ExecutionPlan>, since: u64) -> Self {
        Self { input, since }
    }
}

impl DisplayAs for ExplainExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeltaChangesExec: since={}", self.since)
    }
}

impl ExecutionPlan for ExplainExec {
    fn name(&self) -> &'static str {
        "DeltaChangesExec"
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
        Ok(Arc::new(Self::new(children.swap_remove(0), self.since)))
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
        let since = self.since;
        let rows = self.input.execute(partition, context)?;
        let schema = rows.schema();
        let rows = rows.map_err(move |error| explain(error, since));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}
