//! Tests for `sitemap_pages::state` through its public interface.
#![cfg(feature = "state")]

mod content;
mod crawl;
mod damage;
mod files;
mod pages;
mod runs;
mod support;
