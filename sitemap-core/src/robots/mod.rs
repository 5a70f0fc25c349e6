//! Reads and writes the lines of robots.txt, including those that announce sitemaps to all crawlers.

mod lines;
mod merge;
mod parse;

pub use lines::sitemap_lines;
pub use merge::merge;
pub use parse::{Field, Line, SitemapLine, lines, sitemaps};
