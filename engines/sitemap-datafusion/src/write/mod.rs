//! `COPY … STORED AS SITEMAP`: commit(1) ← write(N) ← sort by bucket and address ← repartition by bucket.

mod bucket;
mod columns;
mod commit;
mod error;
mod format;
mod options;
mod page;
mod plan;
mod shards;

pub(crate) use commit::CommitExec;
pub use format::SitemapFormatFactory;
pub(crate) use options::Destination;
pub(crate) use shards::WriteExec;
