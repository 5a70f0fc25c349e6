//! `CREATE EXTERNAL TABLE … STORED AS SITEMAP`: a published set as a table.

mod batches;
mod scan;
mod set;
mod table;

pub(crate) use scan::ScanExec;
pub use table::{SitemapTable, SitemapTableFactory};
