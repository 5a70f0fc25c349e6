//! Writers of single files: a sitemap, or a sitemap index.

mod index;
mod sitemap;

pub use index::IndexWriter;
pub use sitemap::SitemapWriter;
