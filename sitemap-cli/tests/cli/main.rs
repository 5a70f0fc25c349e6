//! Tests of the command as it is run: arguments in, text and files out.

mod build;
mod check;
mod diff;
mod fetch;
mod folder;
mod identity;
mod list;
mod readme;
mod shell;
mod stats;
mod support;
