//! Options of the commands that read sitemaps.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ColumnArgs, MapArgs, NetworkArgs, PatternArgs, ThreadArgs};

/// Limits for reading sitemaps.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadArgs {
    /// Allow requests to this machine and to private networks
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// Allow requests to link-local addresses, where cloud providers serve credentials to virtual machines
    #[arg(long)]
    pub(crate) allow_link_local: bool,

    /// The maximum number of seconds to download one sitemap, including redirects, retries and pauses
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: u64,

    /// The maximum size of one sitemap in bytes, both compressed and decompressed
    #[arg(long, value_name = "BYTES", default_value_t = 52_428_800, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_bytes: u64,

    /// The maximum number of files to read
    #[arg(long, value_name = "COUNT", default_value_t = 50_001)]
    pub(crate) max_files: usize,

    /// If the target is a host, a site's URL or its robots.txt: also look for sitemaps at the usual paths, such as
    /// `/wp-sitemap.xml`
    #[arg(long)]
    pub(crate) probe: bool,

    /// Keep downloads in this folder, so that a later run downloads only what has changed; created if missing [default:
    /// nothing is kept]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,

    /// The maximum size of the cache in bytes; the least recently used downloads are removed first
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cache_max_bytes: u64,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/list.txt").trim_ascii_end())]
pub(crate) struct ListArgs {
    /// A file, a folder, a URL, a host, a robots.txt, or `-` for standard input
    #[arg(value_name = "PATH|URL|-")]
    pub(crate) target: String,

    /// Print the sitemaps that indexes list instead of their pages; a sitemap that is not an index is itself printed
    #[arg(long)]
    pub(crate) sitemaps: bool,

    /// The format of the output
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ListFormat,

    /// Print only entries whose lastmod is this date or later, like 2026, 2026-01 or 2026-01-31
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<String>,

    /// Print only entries whose lastmod is this date or earlier
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<String>,

    /// Print only entries whose URL starts with this URL
    #[arg(long, value_name = "URL")]
    pub(crate) prefix: Option<String>,

    /// Print only entries of this section, like `products` for `sitemap-products-1.xml`
    #[arg(long, value_name = "NAME")]
    pub(crate) section: Option<String>,

    #[command(flatten)]
    pub(crate) patterns: PatternArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// One URL per line
    #[default]
    Text,
    /// One JSON object per line, with all values and extensions of an entry, its sitemap and its section
    Ndjson,
    /// The columns loc, lastmod, changefreq, priority, sitemap and section; with `--sitemaps`, only loc and lastmod
    Csv,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/diff.txt").trim_ascii_end())]
pub(crate) struct DiffArgs {
    /// The old set: a file, a folder, a URL, a host, a robots.txt, a list of pages in CSV or NDJSON, an object store such
    /// as `s3://bucket/folder`, or `-` for standard input
    #[arg(value_name = "OLD")]
    pub(crate) old: String,

    /// The new set
    #[arg(value_name = "NEW")]
    pub(crate) new: String,

    /// The format of the output
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: DiffFormat,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// One line per page, marked `+`, `-` or `~`
    #[default]
    Text,
    /// One JSON object per line
    Ndjson,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/stats.txt").trim_ascii_end())]
pub(crate) struct StatsArgs {
    /// A file, a folder, a URL, a host, a robots.txt, an object store with a published set, or `-` for standard input
    #[arg(value_name = "PATH|URL|-")]
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}
