//! Errors and their places, collected to be reported together.

pub(crate) mod errors;
pub(crate) mod spans;
pub(crate) mod suggest;
