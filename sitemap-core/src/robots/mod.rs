//! The `Sitemap:` lines of robots.txt, by which crawlers find a sitemap without being told.

mod lines;
mod merge;
mod parse;

pub use lines::sitemap_lines;
pub use merge::merge;
pub use parse::{SitemapLine, sitemaps};
