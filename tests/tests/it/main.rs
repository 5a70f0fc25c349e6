//! Tests that need more than one crate of the workspace.

#![allow(clippy::unwrap_used)]

mod tidy;
mod well_formed;
