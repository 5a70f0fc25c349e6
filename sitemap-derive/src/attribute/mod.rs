//! The parsed `#[sitemap(…)]` attributes and their values.

pub(crate) mod attr;
pub(crate) mod grammar;
pub(crate) mod value;
