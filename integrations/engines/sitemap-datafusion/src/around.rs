//! A plan node around another one, which changes how its input runs, and neither its rows nor its columns.

use std::fmt;
use std::sync::Arc;

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Distribution, PhysicalExpr};
use datafusion::physical_plan::distribution_requirements::InputDistributionRequirements;
use datafusion::physical_plan::execution_plan::{ChildrenPropertiesMode, ReplaceChildrenOptions};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};

/// What a node does around its input.
pub(crate) trait Around: fmt::Debug + Send + Sync + 'static {
    /// The name of the node.
    const NAME: &'static str;
    /// True if the input must have one partition.
    const NEEDS_ONE_PARTITION: bool = false;

    /// Writes the values that `EXPLAIN` prints after the name.
    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Runs a partition of the input.
    fn execute(
        &self,
        input: &Arc<dyn ExecutionPlan>,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream>;
}

/// The plan node.
#[derive(Debug)]
pub(crate) struct AroundExec<A> {
    input: Arc<dyn ExecutionPlan>,
    around: Arc<A>,
}

impl<A: Around> AroundExec<A> {
    pub(crate) fn new(input: Arc<dyn ExecutionPlan>, around: A) -> Self {
        Self { input, around: Arc::new(around) }
    }
}

impl<A: Around> DisplayAs for AroundExec<A> {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", A::NAME)?;
        self.around.describe(f)
    }
}

impl<A: Around> ExecutionPlan for AroundExec<A> {
    fn name(&self) -> &'static str {
        A::NAME
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn required_input_distribution(&self) -> Vec<Distribution> {
        self.input_distribution_requirements().into_per_child()
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        InputDistributionRequirements::new(vec![if A::NEEDS_ONE_PARTITION {
            Distribution::SinglePartition
        } else {
            Distribution::UnspecifiedDistribution
        }])
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Self { input: children.swap_remove(0), around: Arc::clone(&self.around) }))
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
        self.around.execute(&self.input, partition, context)
    }
}
