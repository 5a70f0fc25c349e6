//! An HTML tokenizer that copies nothing: enough of the WHATWG tokenizer to read what a page states.
//!
//! The tokenizer follows the states of the standard for tags, attributes, comments and elements with raw text. It keeps
//! character references as they are written; [`unescape`] resolves them where a caller needs the text. Scripting
//! counts as enabled, so the content of `<noscript>` is raw text.

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
