//! Parsers for the user's string literals: URL templates and dates.

pub(crate) mod date;
pub(crate) mod lexer;
pub(crate) mod template;
pub(crate) mod url;
