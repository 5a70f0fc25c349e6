//! Small, complete programs that publish sitemaps. Use them as a starting point for your own.
//!
//! `cargo run --example quickstart` publishes a shop's sitemap from its database. The folder `apps` contains web
//! applications on several frameworks, each in its own package.
