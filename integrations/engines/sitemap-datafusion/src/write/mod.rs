//! `COPY … STORED AS SITEMAP`: repartition by bucket → collect by bucket → sort each bucket by URL and write it, unless
//! its rows are already published (N tasks) → commit (one task). With `mode 'update'`, a single task updates the
//! published set.

mod bucket;
mod columns;
mod commit;
mod error;
mod extras;
mod format;
mod gather;
mod lists;
mod options;
mod plan;
mod report;
mod row;
mod runs;
mod shards;
mod spilled;
mod task;
mod update;

pub(crate) use commit::CommitExec;
pub use format::SitemapFormatFactory;
pub(crate) use options::Destination;
#[cfg(feature = "distributed")]
pub(crate) use report::Outcome;
pub(crate) use shards::WriteExec;
pub(crate) use update::UpdateExec;
