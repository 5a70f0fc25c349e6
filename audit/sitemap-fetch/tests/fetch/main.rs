//! Tests of `sitemap_fetch` against servers that misbehave in every way.
//!
//! The servers write raw bytes. No test depends on how fast the machine is: pauses between requests pass at once, in
//! planned time, and limits on the time of a request are either an hour or meet a server that never answers.

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
