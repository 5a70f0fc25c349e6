//! The plan node that saves positions after a set is published.

use std::fmt;
use std::sync::Arc;

use datafusion::common::exec_err;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures::{StreamExt as _, TryStreamExt as _};

use super::position::Position;
use crate::around::Around;

/// Passes on the rows of its input, which publishes a set, and saves positions when the input has ended without an error.
#[derive(Debug)]
pub(crate) struct SavePositions {
    pub(crate) positions: Vec<Arc<Position>>,
}

impl Around for SavePositions {
    const NAME: &'static str = "SavePositionExec";
    const NEEDS_ONE_PARTITION: bool = true;

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "positions={}", self.positions.len())
    }

    fn execute(
        &self,
        input: &Arc<dyn ExecutionPlan>,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        if partition != 0 {
            return exec_err!("a published set has no partition {partition}");
        }
        let positions = self.positions.clone();
        let published = input.execute(0, context)?;
        let schema = published.schema();
        let saved = async move {
            let rows: Vec<_> = published.try_collect().await?;
            for position in positions {
                position.save().await?;
            }
            Ok::<_, DataFusionError>(futures::stream::iter(rows.into_iter().map(Ok)))
        };
        let rows = futures::stream::once(saved).try_flatten().boxed();
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}
