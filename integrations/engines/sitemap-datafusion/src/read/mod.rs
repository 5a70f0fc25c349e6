//! `CREATE EXTERNAL TABLE … STORED AS SITEMAP`: a published set as a table.

mod batches;
mod extras;
mod prune;
mod scan;
mod set;
mod table;

pub use table::{SitemapTable, SitemapTableFactory};
