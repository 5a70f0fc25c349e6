//! The errors of the derive macros, where they point in the user's code, and suggestions for misspelt names.

pub(crate) mod errors;
pub(crate) mod spans;
pub(crate) mod suggest;
