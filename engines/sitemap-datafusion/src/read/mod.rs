//! `CREATE EXTERNAL TABLE … STORED AS SITEMAP`: a set that stands, as a table.

mod batches;
mod scan;
mod set;
mod table;

pub(crate) use scan::ScanExec;
pub use table::{SitemapTable, SitemapTableFactory};
