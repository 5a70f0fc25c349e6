//! Tests the public API for reading and checking, with one module per subject.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "gzip")]
mod check;
mod decisions;
mod entries;
mod extended;
mod extensions;
mod reader;
mod round_trip;
mod testing;
