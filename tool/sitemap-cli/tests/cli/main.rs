//! Runs the command, and compares its output and the files that it writes.

#![allow(clippy::format_collect)] // Shorter code matters more than speed in tests.

mod ahead;
mod baseline;
mod bucket;
mod build;
mod cache;
mod chain_kill;
mod check;
mod config;
mod credentials;
#[cfg(feature = "pages")]
mod dates;
mod diff;
mod doctor;
mod fetch;
mod folder;
mod formats;
mod html_page;
mod identity;
#[cfg(feature = "pages")]
mod killed;
#[cfg(feature = "pages")]
mod limits;
mod list;
mod lists;
mod notify;
#[cfg(feature = "pages")]
mod pages;
#[cfg(feature = "pages")]
mod pages_asked;
#[cfg(feature = "pages")]
mod pages_from_dir;
#[cfg(feature = "pages")]
mod pages_proxy;
#[cfg(feature = "pages")]
mod planted;
mod progress;
mod proxy;
mod readme;
mod recent;
#[cfg(feature = "pages")]
mod report_browser;
mod rules;
mod sections;
mod set;
mod shard;
mod shell;
mod shrink;
mod signal;
mod since;
mod stats;
mod support;
mod targets;
mod threads;
mod unreliable;
mod update;
mod update_kill;
