//! Options of `sitemap shard`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::OnInvalid;

pub(super) const EXAMPLES: &str = "\
Examples:
  sitemap shard write --base https://www.example.com --section posts --buckets 40 --out public \\
    --gzip --format tsv < sorted.tsv > rows.jsonl
  sitemap shard commit --base https://www.example.com --out public --expect-urls 1000000 rows.jsonl

Any number of processes write, each with buckets of its own; then one commits all the rows that they
have printed. A row's bucket is the CRC-32 of its address modulo the number of buckets: `crc32(loc) % 40`
in Spark, `zlib.crc32(loc.encode()) % 40` in Python.";

#[derive(Debug, Subcommand)]
pub(crate) enum ShardCommand {
    /// Writes the shards of some buckets, and prints a row for each
    Write(ShardWriteArgs),
    /// Publishes the shards whose rows it is given
    Commit(ShardCommitArgs),
    /// Prints the bucket of each row of standard input before it, to sort by
    Bucket(ShardBucketArgs),
}

/// Where a set is served from and lies.
#[derive(Args, Debug)]
pub(crate) struct ShardSite {
    /// The address of the folder that the sitemap will be served from
    #[arg(long, value_name = "URL")]
    pub(crate) base: String,

    /// Where the files are put: a folder, or a bucket as `s3://bucket/folder`, `gs://…`, `az://…`, whose
    /// credentials the environment has
    #[arg(long, value_name = "DIR|URL")]
    pub(crate) out: String,

    /// Also list pages under this address; can be given several times
    #[arg(long, value_name = "URL")]
    pub(crate) also_list: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap shard bucket --buckets 40 < pages.tsv | LC_ALL=C sort -k 1,1n -k 2 | cut -f 2- |
    sitemap shard write --base https://www.example.com --section posts --buckets 40 --out public \\
      --format tsv > rows.jsonl

Input, from standard input: NDJSON as of `sitemap build`, or tab-separated loc, lastmod, changefreq and
priority, of which an empty one or `\\N` is absent. Rows come sorted by bucket, then by address (its bytes).
Each row that is printed tells of one shard that is stored; who commits needs them all.")]
pub(crate) struct ShardWriteArgs {
    #[command(flatten)]
    pub(crate) site: ShardSite,

    /// The section that pages are put in, which names the files
    #[arg(long, value_name = "NAME", default_value = "pages")]
    pub(crate) section: String,

    /// How many buckets there are in all; best about as many as there are 25,000 pages
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) buckets: u32,

    /// Compress the shards
    #[arg(long)]
    pub(crate) gzip: bool,

    /// What the input is
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: RowFormat,

    /// What to do with an invalid page
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_invalid: OnInvalid,

    /// What pages have beside the four values; the same for all who write a section
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    pub(crate) extensions: Vec<Extension>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap shard commit --base https://www.example.com --out public rows.jsonl
  cat rows/*.txt | sitemap shard commit --base https://www.example.com --out public --expect-urls 1000000

Rows may come in any order and more than once. The old set stands until `sitemap.xml` is replaced as the
last step; of two commits at once, one wins and the other ends with an error.")]
pub(crate) struct ShardCommitArgs {
    /// Files of rows, or folders of such files, or `-` for standard input [default: -]
    pub(crate) rows: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) site: ShardSite,

    /// Publish only if all shards together have so many pages
    #[arg(long, value_name = "COUNT")]
    pub(crate) expect_urls: Option<u64>,

    /// Remove shards of these sections that were written so many days ago and never committed
    #[arg(long, value_name = "DAYS")]
    pub(crate) remove_uncommitted: Option<u32>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap shard bucket --buckets 40 < pages.tsv | head")]
pub(crate) struct ShardBucketArgs {
    /// How many buckets there are in all
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) buckets: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// One JSON object a line
    #[default]
    Ndjson,
    /// loc, lastmod, changefreq and priority with tabs between them
    Tsv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Extension {
    Alternates,
    Images,
    News,
    Videos,
}
