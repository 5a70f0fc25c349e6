//! The errors of the derive macros, their places in the user's code, and suggestions for misspelt names.

pub(crate) mod errors;
pub(crate) mod spans;
pub(crate) mod suggest;
