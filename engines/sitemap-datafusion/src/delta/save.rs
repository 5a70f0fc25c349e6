//! The plan node that saves positions after a set is published.

use std::fmt;
use std::sync::Arc;

use datafusion::common::exec_err;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Distribution, PhysicalExpr};
use datafusion::physical_plan::distribution_requirements::InputDistributionRequirements;
use datafusion::physical_plan::execution_plan::{ChildrenPropertiesMode, ReplaceChildrenOptions};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::{StreamExt as _, TryStreamExt as _};

use super::position::Position;

/// Passes on the rows of its input, which publishes a set, and saves positions when the input has ended without an error.
#[derive(Debug)]
pub(crate) struct SavePositionExec {
    input: Arc<dyn ExecutionPlan>,
    positions: Vec<Arc<Position>>,
}

impl SavePositionExec {
    pub(crate) fn new(input: Arc<dyn ExecutionPlan>, positions: Vec<Arc<Position>>) -> Self {
        Self { input, positions }
    }
}

impl DisplayAs for SavePositionExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SavePositionExec: positions={}", self.positions.len())
    }
}

impl ExecutionPlan for SavePositionExec {
    fn name(&self) -> &'static str {
        "SavePositionExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
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
        Ok(Arc::new(Self::new(children.swap_remove(0), self.positions.clone())))
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
            return exec_err!("a published set has no partition {partition}");
        }
        let positions = self.positions.clone();
        let published = self.input.execute(0, context)?;
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
