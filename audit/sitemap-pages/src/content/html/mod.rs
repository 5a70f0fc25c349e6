//! An HTML tokenizer that copies nothing. It implements enough of the WHATWG tokenizer to read what a page states.
//!
//! For tags, attributes, comments and raw text elements, the tokenizer follows the states of the standard. It leaves
//! character references as written; call [`unescape`] to resolve them. Scripting is assumed to be enabled, so the
//! contents of `<noscript>` are raw text.
//!
//! It is at least six times as fast as html5gum, which the tests compare it with.

mod attributes;
mod bytes;
mod raw_text;
mod tag;
mod tokenizer;
mod tree;
mod unescape;

#[cfg(test)]
mod tokenizer_tests;

pub(crate) use attributes::Attributes;
pub(crate) use bytes::find;
pub(crate) use tag::Tag;
pub(crate) use tokenizer::{Token, Tokenizer};
pub(crate) use tree::{Region, Tree};
pub(crate) use unescape::{unescape, unescape_text};
