//! Tests of updates.

#![allow(clippy::unwrap_used)]

mod contention;
mod damage;
mod faults;
mod histories;
mod support;
