//! Notifying from outside.

#![allow(clippy::unwrap_used)]

mod indexnow;
