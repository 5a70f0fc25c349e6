//! Tests that need more than one crate of the workspace; nothing to use.
