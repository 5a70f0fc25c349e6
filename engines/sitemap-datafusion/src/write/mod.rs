//! `COPY … STORED AS SITEMAP`: repartition by bucket → sort by bucket and URL → write (N tasks) → commit (one task). With
//! `mode 'update'`, a single task updates the published set.

mod after_commit;
mod bucket;
mod columns;
mod commit;
mod error;
mod extras;
mod format;
mod options;
mod page;
mod plan;
mod report;
mod runs;
mod shards;
mod update;

pub(crate) use commit::CommitExec;
pub use format::SitemapFormatFactory;
pub(crate) use options::Destination;
#[cfg(feature = "distributed")]
pub(crate) use report::Outcome;
pub(crate) use shards::WriteExec;
pub(crate) use update::UpdateExec;
