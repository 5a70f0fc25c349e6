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
mod part;
mod plan;
mod publish;
mod report;
mod row;
mod runs;
mod shards;
mod spilled;
mod task;
mod update;

pub use format::SitemapFormatFactory;
pub use part::Part;
pub(crate) use shards::WriteExec;
