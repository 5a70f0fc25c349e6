//! Tests of the program `mdbook-sitemap`, both on its own and run by mdBook.

// In tests, shorter code matters more than speed.
#![allow(clippy::needless_pass_by_value)]

mod book;
mod contents;
mod dates;
mod mdbook;
mod mistakes;
