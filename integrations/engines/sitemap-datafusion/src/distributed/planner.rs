//! Decides which statements are distributed.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner as _};
use datafusion_distributed::{DistributedExec, SessionStateBuilderExt as _};
use datafusion_proto::bytes::physical_plan_to_bytes_with_extension_codec;

use super::root::RootExec;
use super::workers::Workers;
use crate::codec::SitemapCodec;

/// A planner that distributes a plan if every part of it can be sent to workers and its tables are large enough for
/// several tasks. All other plans run in the session itself.
#[derive(Debug)]
pub(super) struct Planner {
    pub(super) workers: Workers,
}

#[async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(
        &self,
        statement: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = DefaultPhysicalPlanner::default().create_physical_plan(statement, session).await?;
        if let Err(problem) = physical_plan_to_bytes_with_extension_codec(Arc::clone(&plan), &SitemapCodec) {
            log::info!("not distributed, because a part cannot be sent: {}", problem.strip_backtrace());
            return Ok(plan);
        }
        let workers = self.workers.find().await?;
        let distributed = match distribute(&plan, statement, session).await {
            Ok(distributed) => distributed,
            Err(problem) => {
                log::info!("not distributed: {}", problem.strip_backtrace());
                return Ok(plan);
            }
        };
        if !is_distributed(&distributed) {
            return Ok(plan);
        }
        log::info!("distributed: {workers} workers");
        Ok(Arc::new(RootExec::new(distributed, workers)))
    }
}

fn is_distributed(plan: &Arc<dyn ExecutionPlan>) -> bool {
    plan.is::<DistributedExec>() || plan.children().into_iter().any(is_distributed)
}

/// Distributes a finished plan.
async fn distribute(
    plan: &Arc<dyn ExecutionPlan>,
    statement: &LogicalPlan,
    session: &dyn Session,
) -> Result<Arc<dyn ExecutionPlan>> {
    let made = Arc::new(Made(Arc::clone(plan)));
    let mut builder = SessionStateBuilder::new().with_query_planner(made).with_distributed_planner();
    match builder.query_planner().take() {
        Some(planner) => planner.create_physical_plan(statement, session).await,
        None => Ok(Arc::clone(plan)),
    }
}

/// A planner that always returns the same plan.
#[derive(Debug)]
struct Made(Arc<dyn ExecutionPlan>);

#[async_trait]
impl QueryPlanner for Made {
    async fn create_physical_plan(&self, _: &LogicalPlan, _: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::clone(&self.0))
    }
}
