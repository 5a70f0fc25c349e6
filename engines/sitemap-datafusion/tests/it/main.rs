//! Statements as their users write them. One binary, as each would hold the whole engine.

mod codec;
mod read;
mod sources;
mod support;
mod write;
