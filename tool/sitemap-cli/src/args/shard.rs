//! Options of `sitemap shard`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::OnInvalid;
use super::html_page::HtmlPageArgs;
use super::keep::KeepArgs;
use super::out::SiteArgs;
use super::part::Part;
use super::replace::ReplaceArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum ShardCommand {
    /// Writes the shards of some hash buckets, and prints a row for each shard
    Write(ShardWriteArgs),
    /// Publishes the shards in the given rows as one set
    Commit(ShardCommitArgs),
    /// Prints each row of standard input with its hash bucket and URL in front, so that an engine can partition the rows
    Bucket(ShardBucketArgs),
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/shard-write.txt").trim_ascii_end())]
pub(crate) struct ShardWriteArgs {
    #[command(flatten)]
    pub(crate) site: SiteArgs,

    /// The section of rows that do not name one; it becomes part of the file names
    #[arg(long, value_name = "NAME", default_value = "pages")]
    pub(crate) section: String,

    /// The total number of hash buckets; one per 25,000 pages leaves room for growth
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) buckets: u32,

    /// Compress the shards with gzip
    #[arg(long)]
    pub(crate) gzip: bool,

    /// The format of the input
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: RowFormat,

    /// What to do about an invalid page
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_invalid: OnInvalid,

    /// Write only the buckets of part K of N, such as `2/4`; every writer gets all rows
    #[arg(long, value_name = "K/N")]
    pub(crate) part: Option<Part>,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/shard-commit.txt").trim_ascii_end())]
pub(crate) struct ShardCommitArgs {
    /// The rows that the writers printed: files, folders of files, or `-` for standard input [default: -]
    pub(crate) rows: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) site: SiteArgs,

    /// Publish only if the shards list exactly this many URLs in total
    #[arg(long, value_name = "COUNT")]
    pub(crate) expect_urls: Option<u64>,

    #[command(flatten)]
    pub(crate) keep: KeepArgs,

    #[command(flatten)]
    pub(crate) html_page: HtmlPageArgs,

    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,

    /// Also remove uncommitted shards that are at least this many days old, but only in the sections of the given rows
    #[arg(long, value_name = "DAYS")]
    pub(crate) remove_uncommitted: Option<u32>,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/shard-bucket.txt").trim_ascii_end())]
pub(crate) struct ShardBucketArgs {
    /// The site's base URL: the URL of the folder that the sitemap is served from
    #[arg(long, value_name = "URL")]
    pub(crate) base: String,

    /// The total number of hash buckets
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) buckets: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// One JSON object per line
    #[default]
    Ndjson,
    /// loc, lastmod, changefreq, priority and section, separated by tabs
    Tsv,
}
