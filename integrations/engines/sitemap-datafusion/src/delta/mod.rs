//! Tables of Delta Lake: their rows, and what has changed in them since a version.

#[cfg(feature = "buckets")]
mod buckets;
mod changes;
mod expired;
mod factory;
mod options;
mod position;
mod save;

pub use factory::DeltaTableFactory;
pub(crate) use position::{Position, Positions};
pub(crate) use save::SavePositions;
