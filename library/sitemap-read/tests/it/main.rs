//! Tests of the public API for reading and checking, with one module for each subject.

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
