//! Small, complete programs that publish sitemaps, as a starting point for your own.
//!
//! `cargo run --example quickstart` publishes a shop from its database. The folder `apps` has web applications on
//! several frameworks, each a package of its own.
