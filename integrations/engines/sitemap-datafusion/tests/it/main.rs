//! Tests of statements as users write them. There is only one test binary, because each binary contains the whole
//! engine.

#[cfg(feature = "buckets")]
mod buckets;
mod codec;
#[cfg(feature = "distributed")]
mod distributed;
mod extensions;
mod read;
mod support;
mod update;
mod web;
mod write;
