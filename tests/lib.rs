//! Tests that need more than one crate of the workspace. This crate exports nothing.

/// The programs of the serving guide, run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/serving.md")]
mod serving {}
