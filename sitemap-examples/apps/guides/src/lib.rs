//! Compiles and runs the code of the guides in `docs/guides`. Those for web frameworks are in `integrations`.

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guides/ten-million-rows.md")]
mod ten_million_rows {}

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guides/images.md")]
mod images {}

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guides/five-languages.md")]
mod five_languages {}

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guides/from-sitemap-rs.md")]
mod from_sitemap_rs {}
