//! The work to measure.

use crate::Result;

/// The work to measure. Everything it needs has already been prepared.
pub type Work = Box<dyn FnOnce() -> Result<()>>;
