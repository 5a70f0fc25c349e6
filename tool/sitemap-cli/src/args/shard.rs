//! Options of `sitemap shard`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::OnInvalid;
use super::html_page::HtmlPageArgs;
use super::keep::KeepArgs;
use super::out::OutArgs;
use super::replace::ReplaceArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  sitemap shard write --base https://www.example.com --section posts --buckets 40 --out public \\
    --gzip --format tsv < sorted.tsv > rows.jsonl
  sitemap shard commit --base https://www.example.com --out public --expect-urls 1000000 rows.jsonl

Any number of processes write shards, each for hash buckets of its own. Then one process commits
the rows that all of them printed. The hash bucket of a page is the CRC-32 of its loc modulo the
number of hash buckets: `crc32(loc) % 40` in Spark, `zlib.crc32(loc.encode()) % 40` in Python.";

#[derive(Debug, Subcommand)]
pub(crate) enum ShardCommand {
    /// Writes the shards of some hash buckets, and prints a row for each shard
    Write(ShardWriteArgs),
    /// Publishes the shards of the given rows as one set
    Commit(ShardCommitArgs),
    /// Prints each row of standard input with its hash bucket in front, so that `sort` can sort the rows
    Bucket(ShardBucketArgs),
}

/// The site of a set, and the storage for its files.
#[derive(Args, Debug)]
pub(crate) struct ShardSite {
    /// The base URL of the site: the URL of the folder that the sitemap is served from
    #[arg(long, value_name = "URL")]
    pub(crate) base: String,

    #[command(flatten)]
    pub(crate) out: OutArgs,

    /// Also allow pages under this URL; can be repeated
    #[arg(long, value_name = "URL")]
    pub(crate) also_list: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap shard bucket --buckets 40 < pages.tsv | LC_ALL=C sort -k 1,1n -k 2 | cut -f 2- |
    sitemap shard write --base https://www.example.com --section posts --buckets 40 --out public \\
      --format tsv > rows.jsonl

The input is read from standard input: NDJSON as for `sitemap build`, or loc, lastmod, changefreq
and priority separated by tabs; an empty value or `\\N` means no value. The rows must be sorted
by hash bucket, then by the bytes of loc. Each printed row describes one stored shard; the commit
needs all rows.")]
pub(crate) struct ShardWriteArgs {
    #[command(flatten)]
    pub(crate) site: ShardSite,

    /// The section of the pages, which is part of the file names
    #[arg(long, value_name = "NAME", default_value = "pages")]
    pub(crate) section: String,

    /// The total number of hash buckets; one for each 25,000 pages leaves room for growth
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) buckets: u32,

    /// Compress the shards with gzip
    #[arg(long)]
    pub(crate) gzip: bool,

    /// The format of the input
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: RowFormat,

    /// The reaction to an invalid page
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_invalid: OnInvalid,

    /// The extensions that pages may have; must be the same for all writers of a section
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    pub(crate) extensions: Vec<Extension>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap shard commit --base https://www.example.com --out public rows.jsonl
  cat rows/*.txt | sitemap shard commit --base https://www.example.com --out public --expect-urls 1000000

Rows may come in any order and more than once. The old set stays published until the last step
replaces `sitemap.xml`. Of two commits at once, one succeeds and the other ends with an error.

Exit status: 0 if the set is published, 2 after an error, 3 if the set would lose too many pages,
128 plus the number of a signal that ended the run.")]
pub(crate) struct ShardCommitArgs {
    /// The rows that the writers printed: files, folders of files, or `-` for standard input [default: -]
    pub(crate) rows: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) site: ShardSite,

    /// Publish only if all shards together list exactly this number of URLs
    #[arg(long, value_name = "COUNT")]
    pub(crate) expect_urls: Option<u64>,

    #[command(flatten)]
    pub(crate) keep: KeepArgs,

    #[command(flatten)]
    pub(crate) html_page: HtmlPageArgs,

    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,

    /// Also remove shards that were never committed and are at least this many days old, but only in the
    /// sections of the given rows
    #[arg(long, value_name = "DAYS")]
    pub(crate) remove_uncommitted: Option<u32>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap shard bucket --buckets 40 < pages.tsv | head")]
pub(crate) struct ShardBucketArgs {
    /// The total number of hash buckets
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) buckets: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// One JSON object per line
    #[default]
    Ndjson,
    /// loc, lastmod, changefreq and priority, separated by tabs
    Tsv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Extension {
    Alternates,
    Images,
    News,
    Videos,
}
