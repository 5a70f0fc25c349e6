//! The errors of all steps, their places and their suggestions.

pub(crate) mod errors;
pub(crate) mod spans;
pub(crate) mod suggest;
