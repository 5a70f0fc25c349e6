//! Compiles and runs the code in those guides in `docs/guides` that are not compared with an example.

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guides/five-languages.md")]
mod five_languages {}

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guides/from-sitemap-rs.md")]
mod from_sitemap_rs {}
