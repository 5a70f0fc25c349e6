//! Rules for the user's texts: URL templates, dates, names of sections and variants.

pub(crate) mod case;
pub(crate) mod date;
pub(crate) mod fields;
mod foreign;
pub(crate) mod lexer;
pub(crate) mod locale;
pub(crate) mod path;
pub(crate) mod placeholder;
mod punycode;
mod remedy;
pub(crate) mod route;
pub(crate) mod section;
pub(crate) mod template;
pub(crate) mod url;
