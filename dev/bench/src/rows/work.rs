//! The work that is measured.

use crate::Result;

/// The work that is measured, after everything that it needs has been prepared.
pub type Work = Box<dyn FnOnce() -> Result<()>>;
