//! Tests that run the command and compare what it prints and writes.

#![allow(clippy::format_collect)] // Shorter code matters more than speed in tests.

mod bucket;
mod build;
mod check;
mod diff;
mod fetch;
mod folder;
mod identity;
mod list;
mod notify;
mod readme;
mod sections;
mod set;
mod shard;
mod shell;
mod signal;
mod stats;
mod support;
