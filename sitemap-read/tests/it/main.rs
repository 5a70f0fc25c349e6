//! Reading and checking from outside. One module for each subject.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "gzip")]
mod check;
mod decisions;
mod reader;
mod round_trip;
