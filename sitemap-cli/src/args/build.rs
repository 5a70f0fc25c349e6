//! Options of `sitemap build`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

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

Input: NDJSON has one page a line, as {\"loc\": \"/about\", \"lastmod\": \"2026-01-31\", \"priority\": 0.8},
with extensions as `sitemap list --format ndjson` writes them. CSV has the columns loc, lastmod,
changefreq and priority, of which only loc is required. Text has one address a line. Addresses are
URLs, or paths that begin with `/` and count from the base."
)]
pub(crate) struct BuildArgs {
    /// A file of pages, or `-` for standard input [default: -]
    pub(crate) input: Option<PathBuf>,

    /// The address of the folder that the sitemap will be served from
    #[arg(long, value_name = "URL")]
    pub(crate) base: String,

    /// Where to put the files: a folder, or a bucket as `s3://bucket/folder`, `gs://…`, `az://…`, whose
    /// credentials the environment has
    #[arg(long, value_name = "DIR|URL")]
    pub(crate) out: PathBuf,

    /// List the HTML files of this folder, but for those that say `noindex` or name another page as
    /// canonical
    #[arg(long, value_name = "DIR")]
    pub(crate) from_dir: Option<PathBuf>,

    /// Where `--from-dir` takes dates from
    #[arg(long, value_enum, default_value_t, requires = "from_dir")]
    pub(crate) lastmod: LastModFrom,

    /// What the input is; found out from its name or its first line if not given
    #[arg(long, value_enum, conflicts_with = "from_dir")]
    pub(crate) input_format: Option<InputFormat>,

    /// The section that pages are put in, which names the files
    #[arg(long, value_name = "NAME", default_value = "pages")]
    pub(crate) section: String,

    /// What files with pages look like
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: BuildFormat,

    /// How the files that the index lists are called
    #[arg(long, value_enum, default_value_t)]
    pub(crate) names: BuildNames,

    /// Threads that compress and store files [default: as many as the machine has cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub(crate) threads: Option<u16>,

    /// Compress the files that the index lists
    #[arg(long)]
    pub(crate) gzip: bool,

    /// The edition of the protocol
    #[arg(long, value_enum, default_value_t)]
    pub(crate) dialect: BuildDialect,

    /// Pages in a file at most
    #[arg(long, value_name = "COUNT", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=50_000))]
    pub(crate) max_urls: u64,

    /// What to do with an invalid page
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_invalid: OnInvalid,

    /// Also list pages under this address; can be given several times
    #[arg(long, value_name = "URL")]
    pub(crate) also_list: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LastModFrom {
    /// The last commit that touched the file
    Git,
    /// When the file was last written
    #[default]
    Mtime,
    /// No dates
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
    #[default]
    Xml,
    /// One address a line and nothing else
    Text,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuildNames {
    /// By section and number, so that a file keeps its address
    #[default]
    Stable,
    /// With a digest of the content, so that the set is replaced in one step
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
    /// End with an error; nothing is published
    #[default]
    Stop,
    /// Leave it out and count it
    Skip,
}
