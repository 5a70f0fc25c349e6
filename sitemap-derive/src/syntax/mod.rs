//! The syntax of `#[sitemap(…)]`: names with values, without their meaning.

pub(crate) mod attr;
pub(crate) mod value;
