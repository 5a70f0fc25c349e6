//! The `Sitemap:` lines of robots.txt, which announce sitemaps to all crawlers.

mod lines;
mod merge;
mod parse;

pub use lines::sitemap_lines;
pub use merge::merge;
pub use parse::{SitemapLine, sitemaps};
