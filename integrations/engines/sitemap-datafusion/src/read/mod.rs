//! `CREATE EXTERNAL TABLE … STORED AS SITEMAP`: a published set as a table.

mod batches;
mod extras;
mod prune;
mod scan;
mod set;
mod table;

pub(crate) use scan::{ScanExec, ScanFile};
pub use table::{SitemapTable, SitemapTableFactory};
