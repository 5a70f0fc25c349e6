//! Options of `sitemap build`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::keep::KeepArgs;
use super::out::OutArgs;

#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("source").args(["input", "from_dir"]),
    after_help = "\
Examples:
  sitemap build --base https://www.example.com --out public --from-dir public
  sitemap build --base https://www.example.com --out public --gzip pages.csv
  sitemap build --base https://www.example.com --out s3://www.example.com --names digest pages.csv
  sitemap list old.xml --format ndjson | sitemap build --base https://www.example.com --out public
  psql -Atc 'select url from pages' | sitemap build --base https://www.example.com --out public

Input: NDJSON has one entry per line, like {\"loc\": \"/about\", \"lastmod\": \"2026-01-31\"}, with
extensions as `sitemap list --format ndjson` prints them. CSV has the columns loc, lastmod,
changefreq and priority, of which only loc is required. Text has one URL per line. A loc is a
URL, or a path that starts with `/` and is relative to the base URL."
)]
pub(crate) struct BuildArgs {
    /// The list of pages: a file, or `-` for standard input [default: -]
    pub(crate) input: Option<PathBuf>,

    /// The base URL of the site: the URL of the folder that the sitemap is served from
    #[arg(long, value_name = "URL")]
    pub(crate) base: String,

    #[command(flatten)]
    pub(crate) out: OutArgs,

    /// List the HTML files in this folder, except files that are marked `noindex`, that name another page
    /// as canonical, or that redirect to another page
    #[arg(long, value_name = "DIR")]
    pub(crate) from_dir: Option<PathBuf>,

    /// The source of `lastmod` for `--from-dir`
    #[arg(long, value_enum, default_value_t, requires = "from_dir")]
    pub(crate) lastmod: LastModFrom,

    /// The format of the input [default: detected from the file name or the first line]
    #[arg(long, value_enum, conflicts_with = "from_dir")]
    pub(crate) input_format: Option<InputFormat>,

    /// The section of the pages, which is part of the file names
    #[arg(long, value_name = "NAME", default_value = "pages")]
    pub(crate) section: String,

    /// The format of the files that list pages
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: BuildFormat,

    /// The names of the child sitemaps
    #[arg(long, value_enum, default_value_t)]
    pub(crate) names: BuildNames,

    #[command(flatten)]
    pub(crate) keep: KeepArgs,

    /// The number of threads that compress and store files [default: the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub(crate) threads: Option<u16>,

    /// Compress the child sitemaps with gzip
    #[arg(long)]
    pub(crate) gzip: bool,

    /// Compare new files with the bytes of the published files, instead of trusting their sizes and dates
    #[arg(long)]
    pub(crate) force: bool,

    /// The dialect of the protocol: sitemaps.org 0.9 or Google's older 0.84
    #[arg(long, value_enum, default_value_t)]
    pub(crate) dialect: BuildDialect,

    /// The maximum number of entries in a file
    #[arg(long, value_name = "COUNT", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=50_000))]
    pub(crate) max_urls: u64,

    /// The reaction to an invalid page
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_invalid: OnInvalid,

    /// Also allow pages under this URL; can be repeated
    #[arg(long, value_name = "URL")]
    pub(crate) also_list: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LastModFrom {
    /// The date of the last commit that changed the file
    Git,
    /// The modification time of the file
    #[default]
    Mtime,
    /// No `lastmod`
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputFormat {
    Ndjson,
    Csv,
    Text,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuildFormat {
    /// An XML sitemap
    #[default]
    Xml,
    /// A text sitemap: one URL per line
    Text,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuildNames {
    /// Name child sitemaps by section and number, so that a file keeps its URL when its content changes
    #[default]
    Stable,
    /// Name child sitemaps by section, number and a digest of the content: new files never replace old ones, so the
    /// new index replaces the whole set in one step
    Digest,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuildDialect {
    #[default]
    #[value(name = "0.9")]
    V0_9,
    #[value(name = "0.84")]
    V0_84,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnInvalid {
    /// End with an error and publish nothing
    #[default]
    Stop,
    /// Leave the page out, report it and go on
    Skip,
}
