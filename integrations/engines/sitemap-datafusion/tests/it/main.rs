//! Tests of statements as users write them. All tests are in one binary, because each binary contains the whole engine.

mod codec;
#[cfg(feature = "delta")]
mod delta;
#[cfg(feature = "distributed")]
mod distributed;
mod extensions;
mod logs;
mod read;
mod sources;
mod state;
mod support;
mod update;
mod web;
mod write;
