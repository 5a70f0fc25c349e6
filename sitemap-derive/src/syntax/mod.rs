//! The syntax of `#[sitemap(…)]`: names and values, but not their meaning.

pub(crate) mod attr;
pub(crate) mod value;
