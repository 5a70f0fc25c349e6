//! The last node of the plan: a single task that publishes a set, or stores the rows of a part.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::exec_err;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::Result;
use datafusion::execution::memory_pool::MemoryConsumer;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Distribution, EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::distribution_requirements::InputDistributionRequirements;
use datafusion::physical_plan::execution_plan::{
    Boundedness, ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties};
use futures::stream::once;

use super::options::Destination;
use super::part::Rows;
use super::report::Report;
use super::{commit, update};

/// The plan node that ends a statement. Returns a [`Report`].
#[derive(Debug)]
pub(super) struct PublishExec {
    input: Arc<dyn ExecutionPlan>,
    destination: Destination,
    action: Action,
    properties: Arc<PlanProperties>,
}

/// What the node does with its rows.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Publishes the shards that the rows describe.
    Commit,
    /// Stores the rows, which describe the shards of a part.
    Store(Rows),
    /// Publishes the shards that the stored rows of all parts describe, instead of the rows of the input.
    CommitStored(Rows),
    /// Applies the rows to the published set.
    Update,
}

impl PublishExec {
    pub(super) fn new(input: Arc<dyn ExecutionPlan>, destination: Destination, action: Action) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Report::schema()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Self { input, destination, action, properties: Arc::new(properties) }
    }
}

impl DisplayAs for PublishExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Destination { options, url } = &self.destination;
        write!(f, "{}: base={}, to={url}", self.name(), options.base)
    }
}

impl ExecutionPlan for PublishExec {
    fn name(&self) -> &'static str {
        match self.action {
            Action::Commit | Action::CommitStored(_) => "SitemapCommitExec",
            Action::Store(_) => "SitemapPartExec",
            Action::Update => "SitemapUpdateExec",
        }
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
        Ok(Arc::new(Self::new(children.swap_remove(0), self.destination.clone(), self.action.clone())))
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
            return exec_err!("the node `{}` has no partition {partition}", self.name());
        }
        let (input, destination) = (Arc::clone(&self.input), self.destination.clone());
        let rows = move |context| input.execute(0, context);
        let ended: SendableRecordBatchStream = match self.action.clone() {
            Action::Commit => one(Report::schema(), commit::publish(move || rows(context), destination)),
            Action::CommitStored(stored) => {
                one(Report::schema(), commit::publish(move || Ok(stored.read()), destination))
            }
            Action::Store(to) => one(Report::schema(), to.store(rows(context)?)),
            Action::Update => {
                let reservation = MemoryConsumer::new(self.name()).register(context.memory_pool());
                one(Report::schema(), update::update(rows(context)?, destination, reservation))
            }
        };
        Ok(ended)
    }
}

/// Returns a stream with the result of a future.
fn one(
    schema: SchemaRef,
    batch: impl Future<Output = Result<datafusion::arrow::record_batch::RecordBatch>> + Send + 'static,
) -> SendableRecordBatchStream {
    Box::pin(RecordBatchStreamAdapter::new(schema, once(batch)))
}
