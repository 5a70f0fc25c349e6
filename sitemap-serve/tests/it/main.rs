//! Serving from outside: over HTTP, in a browser, while the set is published again.

#![allow(clippy::unwrap_used)]

mod browser;
mod http;
mod live;
#[cfg(feature = "tracing")]
mod reports;
mod storage;
mod stylesheet;
mod support;
