//! Options of the commands that read sitemaps.

use clap::{Args, ValueEnum};

/// How documents are found and how much of them is taken.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadArgs {
    /// Allow addresses of this machine and of private networks
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// Seconds that the download of one document may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: u64,

    /// Bytes that one document may have, before and after decompression
    #[arg(long, value_name = "BYTES", default_value_t = 52_428_800, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_bytes: u64,

    /// Documents to read at most
    #[arg(long, value_name = "COUNT", default_value_t = 50_001)]
    pub(crate) max_files: usize,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap check public/                                the set of a folder, from its sitemap.xml on
  sitemap check sitemap.xml --at https://www.example.com/shop/sitemap.xml
  sitemap check https://www.example.com/sitemap.xml --engine google --strict
  sitemap check public/ --format sarif > sitemap.sarif
  curl -s https://www.example.com/sitemap.xml | sitemap check -

Exit status: 0 nothing wrong, 1 findings that are errors (with --strict also warnings),
2 the check could not run.")]
pub(crate) struct CheckArgs {
    /// A file, a folder, a URL, a host, or `-` for standard input
    #[arg(value_name = "PATH|URL|-")]
    pub(crate) target: String,

    /// How to report
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CheckFormat,

    /// Fail on warnings, too
    #[arg(long)]
    pub(crate) strict: bool,

    /// Also say what is particular to a search engine; can be given several times
    #[arg(long, value_enum)]
    pub(crate) engine: Vec<Engine>,

    /// Where the file is served, which decides what it may list; of a folder, where its files are
    #[arg(long, value_name = "URL")]
    pub(crate) at: Option<String>,

    /// Findings of each rule to report, further ones are counted; 0 reports all [default: 10 for
    /// people, else 1000]
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_findings: Option<u64>,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people: the line, a caret, a remedy
    #[default]
    Human,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Google,
    Bing,
    Yandex,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap list sitemap.xml
  sitemap list example.com --since 2026-01 --prefix https://example.com/blog/
  sitemap list public/ --section products --format csv > products.csv
  sitemap list old.xml --format ndjson | sitemap build --base https://example.com --out public")]
pub(crate) struct ListArgs {
    /// A file, a folder, a URL, a host, or `-` for standard input
    #[arg(value_name = "PATH|URL|-")]
    pub(crate) target: String,

    /// How to print pages
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ListFormat,

    /// Only pages that changed at or after this date, as in 2026, 2026-01 or 2026-01-31
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<String>,

    /// Only pages that changed at or before this date
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<String>,

    /// Only pages whose address begins so
    #[arg(long, value_name = "URL")]
    pub(crate) prefix: Option<String>,

    /// Only pages of the files of this section, as `products` of `sitemap-products-1.xml`
    #[arg(long, value_name = "NAME")]
    pub(crate) section: Option<String>,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// One address a line
    #[default]
    Text,
    /// One JSON object a line, with all that is known of the page
    Ndjson,
    /// loc, lastmod, changefreq and priority
    Csv,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap diff old/ new/
  sitemap diff https://www.example.com/sitemap.xml public/ --format ndjson

Exit status: 0 no difference, 1 differences, 2 the comparison could not run.")]
pub(crate) struct DiffArgs {
    /// A file, a folder, a URL, a host, or `-` for standard input
    #[arg(value_name = "OLD")]
    pub(crate) old: String,

    /// What to compare it to
    #[arg(value_name = "NEW")]
    pub(crate) new: String,

    /// How to print differences
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: DiffFormat,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// `+`, `-` and `~` lines
    #[default]
    Text,
    /// One JSON object a line
    Ndjson,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sitemap stats public/
  sitemap stats https://www.example.com/sitemap.xml")]
pub(crate) struct StatsArgs {
    /// A file, a folder, a URL, a host, or `-` for standard input
    #[arg(value_name = "PATH|URL|-")]
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}
