//! Tests for `sitemap_fetch` with servers that misbehave in many ways.
//!
//! The servers write raw bytes. No test depends on the speed of the machine: pauses between requests are skipped and
//! pass only in planned time, and a time limit is either an hour or applies to a server that never responds.

mod bodies;
mod conditional;
mod downloads;
mod failures;
mod headers;
mod https;
mod many;
mod pauses;
mod redirects;
mod robots;
mod server;
mod work;
