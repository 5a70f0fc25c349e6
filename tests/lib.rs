//! Tests that need more than one crate of the workspace; nothing to use.

/// The guide's programs, so that they compile and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/serving.md")]
mod serving {}
