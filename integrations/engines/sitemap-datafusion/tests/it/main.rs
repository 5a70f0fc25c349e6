//! Tests of statements as users write them. There is only one test binary, because each binary contains the whole
//! engine.

mod buckets;
mod extensions;
mod part;
mod read;
mod support;
mod update;
mod urls;
mod web;
mod write;
