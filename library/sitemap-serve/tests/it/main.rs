//! Tests of the public interface: over HTTP, in a browser, and during refreshes.

#![allow(clippy::unwrap_used)]

mod browser;
mod encodings;
mod http;
mod instances;
mod layer;
mod live;
mod live_async;
mod live_update;
mod processes;
#[cfg(feature = "tracing")]
mod reports;
mod shared;
mod shared_schedule;
mod storage;
mod stylesheet;
mod support;
