//! Options of `sitemap apply` and `sitemap rebucket`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::OnInvalid;
use super::replace::ShrinkArgs;
use super::shard::ShardSite;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap rebucket --base https://www.example.com --out public --buckets 400
  sitemap apply --base https://www.example.com --out public changes.ndjson

A change is a line like {\"op\":\"upsert\",\"loc\":\"/tea\",\"lastmod\":\"2026-01-31\"} or
{\"op\":\"remove\",\"loc\":\"/tea\"}, or a row of a CSV file with the columns op and loc, and
perhaps lastmod, changefreq and priority. An upsert has the whole new entry, as for `sitemap build`. The
last change of a page counts, and the same changes may be applied again. Only the files of the hash
buckets of these pages are read and written.

If another run publishes at the same time, the command starts again on the new set.

Exit status: 0 if the changes are published, 2 after an error, 3 if the set would lose too many pages,
128 plus the number of a signal that ended the run.")]
pub(crate) struct ApplyArgs {
    /// The changes, as NDJSON or CSV: files, or `-` for standard input [default: -]
    pub(crate) changes: Vec<PathBuf>,

    /// The format of all changes [default: detected from the file name or the first character]
    #[arg(long, value_enum)]
    pub(crate) input_format: Option<ChangesFormat>,

    #[command(flatten)]
    pub(crate) site: ShardSite,

    /// The section whose pages change [default: the only section of the set]
    #[arg(long, value_name = "NAME")]
    pub(crate) section: Option<String>,

    #[command(flatten)]
    pub(crate) shrink: ShrinkArgs,

    /// The reaction to an invalid change
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_invalid: OnInvalid,

    /// Also remove shards of interrupted runs that are at least this many days old
    #[arg(long, value_name = "DAYS")]
    pub(crate) remove_uncommitted: Option<u32>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap rebucket --base https://www.example.com --out public --buckets 400

Moves the pages of a set to the files of their hash buckets, so that `sitemap apply` can change it. With
more buckets, `apply` reads and writes less, and the set has more files. The old set stays published until
the last step. Pages that do not fit into memory wait in a temporary folder; `TMPDIR` names its place.")]
pub(crate) struct RebucketArgs {
    #[command(flatten)]
    pub(crate) site: ShardSite,

    /// The section [default: the only section of the set]
    #[arg(long, value_name = "NAME")]
    pub(crate) section: Option<String>,

    /// The number of hash buckets
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=50_000))]
    pub(crate) buckets: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChangesFormat {
    /// One JSON object per line
    Ndjson,
    /// A header with the columns op and loc, and perhaps lastmod, changefreq and priority
    Csv,
}
