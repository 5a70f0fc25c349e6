//! Limits how far a run may shrink the published set.

mod allow;
mod limit;
mod shrinkage;

pub use allow::AllowShrink;
pub use limit::{ShrinkLimit, ShrinkLimitError};
pub use shrinkage::Shrinkage;
