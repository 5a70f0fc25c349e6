//! The `#[sitemap(…)]` attributes, taken apart, and their values.

pub(crate) mod attr;
pub(crate) mod grammar;
pub(crate) mod value;
