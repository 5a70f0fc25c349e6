//! Errors of changes that the table no longer has.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use datafusion::common::exec_datafusion_err;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::object_store;
use datafusion::parquet::errors::ParquetError;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use deltalake_core::DeltaTableError;
use futures::TryStreamExt as _;

use crate::around::Around;

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
pub(super) struct Explain {
    pub(super) since: u64,
}

impl Around for Explain {
    const NAME: &'static str = "DeltaChangesExec";

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "since={}", self.since)
    }

    fn execute(
        &self,
        input: &Arc<dyn ExecutionPlan>,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let since = self.since;
        let rows = input.execute(partition, context)?;
        let schema = rows.schema();
        let rows = rows.map_err(move |error| explain(error, since));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}
