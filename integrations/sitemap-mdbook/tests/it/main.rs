//! Tests of the program `mdbook-sitemap`, alone and started by mdBook.

// Shorter code matters more than speed in tests.
#![allow(clippy::needless_pass_by_value)]

mod book;
mod contents;
mod dates;
mod mdbook;
mod mistakes;
