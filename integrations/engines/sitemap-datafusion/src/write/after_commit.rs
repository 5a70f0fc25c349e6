//! The option `save_position`: what a statement does after its commit.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;

#[cfg(feature = "delta")]
use crate::around::AroundExec;
#[cfg(feature = "delta")]
use crate::delta::{Position, Positions as OfSession, SavePositions};

/// The positions that a statement saves.
#[cfg(feature = "delta")]
pub(super) type Positions = Vec<Arc<Position>>;
#[cfg(not(feature = "delta"))]
pub(super) type Positions = Vec<std::convert::Infallible>;

/// Takes the option `save_position` out of the options.
#[cfg(feature = "delta")]
pub(super) fn take(
    session: &dyn Session,
    mut options: HashMap<String, String>,
) -> Result<(HashMap<String, String>, Positions)> {
    let given = options.remove("format.save_position").or_else(|| options.remove("save_position"));
    let tables = given.as_deref().unwrap_or_default().split_whitespace();
    let positions = tables.map(|table| OfSession::find(session, table)).collect::<Result<_>>()?;
    Ok((options, positions))
}

#[cfg(not(feature = "delta"))]
pub(super) fn take(
    _: &dyn Session,
    options: HashMap<String, String>,
) -> Result<(HashMap<String, String>, Positions)> {
    match options.keys().find(|key| key.strip_prefix("format.").unwrap_or(key) == "save_position") {
        Some(_) => datafusion::common::plan_err!(
            "`save_position` needs the feature `delta`; build the program with it"
        ),
        None => Ok((options, Positions::new())),
    }
}

/// Adds the plan node that saves the positions.
pub(super) fn save(published: Arc<dyn ExecutionPlan>, positions: &Positions) -> Arc<dyn ExecutionPlan> {
    #[cfg(feature = "delta")]
    if !positions.is_empty() {
        return Arc::new(AroundExec::new(published, SavePositions { positions: positions.clone() }));
    }
    let _ = positions;
    published
}
