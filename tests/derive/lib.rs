//! Tests of the derive macros. They only need `sitemap-core`, so they build quickly.
//!
//! | tests | of | run |
//! |---|---|---|
//! | `sitemap-derive/tests/messages` | the messages that the macros make | `cargo test -p sitemap-derive` |
//! | `sitemap-derive/src`, in the files | the rules for templates, dates and names | `cargo test -p sitemap-derive` |
//! | `tests/it` | what the generated code does | `cargo test -p sitemap-derive-tests --test it` |
//! | `tests/hygiene.rs` | that the generated code compiles in unusual surroundings | `cargo test -p sitemap-derive-tests --test hygiene` |
//! | `ui` | what the compiler reports for wrong types, and where it reports it | `cargo test -p sitemap-derive-tests --test ui` |
//! | doc tests | the examples of the macros' documentation | `cargo test -p sitemap-derive-tests --doc` |
//!
//! To run a single UI test, name its file:
//! `cargo test -p sitemap-derive-tests --test ui -- mistakes trybuild=lastmod_string`. To record changed messages, run
//! `MESSAGES=overwrite cargo test -p sitemap-derive` and
//! `TRYBUILD=overwrite cargo test -p sitemap-derive-tests --test ui`. The UI tests use the Rust version named in
//! `tests/ui.rs`.

use sitemap_core::{Site, SitemapEntry, SitemapWriter};

/// Returns a record's `<url>` elements on `https://example.com`, for the examples in the macros' documentation.
///
/// # Panics
///
/// Panics if the record is invalid.
pub fn xml(record: &impl SitemapEntry) -> String {
    let site = Site::new("https://example.com").expect("a valid site");
    let mut sitemap = SitemapWriter::new(site, Vec::new());
    sitemap.add(record).expect("a valid record");
    let (bytes, _) = sitemap.finish().expect("a vector takes all bytes");
    let text = String::from_utf8(bytes).expect("a sitemap is UTF-8");
    let lines: Vec<_> = text.lines().filter(|line| line.contains("<url>")).collect();
    lines.join("\n")
}

/// The examples in the docs of the derive crate, run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../sitemap-derive/doc/crate.md")]
mod derive {}

/// The examples in the docs of `SitemapEntry`, run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../sitemap-derive/doc/entry.md")]
mod derive_entry {}

/// The examples in the docs of `SitemapPart`, run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../sitemap-derive/doc/part.md")]
mod derive_part {}
