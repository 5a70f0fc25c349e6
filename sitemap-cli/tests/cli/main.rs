//! Tests of the command as it is run: arguments in, text and files out.

#![allow(clippy::format_collect)] // short matters more than fast here

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
mod set;
mod shard;
mod shell;
mod stats;
mod support;
