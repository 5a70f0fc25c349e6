//! Distributes the files of a published set that is read as a table.

use std::sync::Arc;

use datafusion::error::Result;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties as _};
use datafusion_distributed::{
    DesiredTaskCountEvent, DesiredTaskCountEventResponse, DistributedLeafExec, ScaleUpLeafNodeEvent,
    ScaleUpLeafNodeEventResponse,
};

use crate::read::ScanExec;

/// Returns how many tasks can read a set: one per group of files.
pub(super) fn tasks(event: DesiredTaskCountEvent<'_>) -> Option<Result<DesiredTaskCountEventResponse>> {
    let scan = distributable(event.plan)?;
    let files = scan.files().iter().map(Vec::len).sum::<usize>();
    let tasks = files.div_ceil(event.session_config.target_partitions()).max(1);
    Some(Ok(DesiredTaskCountEventResponse::desired(tasks)))
}

/// Gives each task its share of the files.
pub(super) fn share(event: ScaleUpLeafNodeEvent<'_>) -> Option<Result<ScaleUpLeafNodeEventResponse>> {
    let scan = distributable(event.plan)?;
    Some(shared(event.plan, scan, event.task_count))
}

fn distributable(plan: &Arc<dyn ExecutionPlan>) -> Option<&ScanExec> {
    // A single process requests all files of a site, so that it can keep the pauses between requests.
    plan.downcast_ref::<ScanExec>().filter(|scan| scan.target().is_storage())
}

fn shared(
    plan: &Arc<dyn ExecutionPlan>,
    scan: &ScanExec,
    tasks: usize,
) -> Result<ScaleUpLeafNodeEventResponse> {
    let partitions = plan.output_partitioning().partition_count();
    let mut shares = vec![vec![Vec::new(); partitions]; tasks];
    for (number, file) in scan.files().iter().flatten().enumerate() {
        shares[number % tasks][number / tasks % partitions].push(file.clone());
    }
    let scans = shares.into_iter().map(|files| {
        let projection = scan.projection().to_vec();
        let scan = ScanExec::try_new(scan.target().clone(), files, projection, scan.limit())?;
        Ok(Arc::new(scan) as Arc<dyn ExecutionPlan>)
    });
    let scans = scans.collect::<Result<Vec<_>>>()?;
    Ok(ScaleUpLeafNodeEventResponse::new(Arc::new(DistributedLeafExec::try_new(Arc::clone(plan), scans)?)))
}
