//! Options of the commands that request pages.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sitemap_logs::LogFormat;

use super::PatternArgs;

/// The pages that `check --pages` and `check --moved-to` request.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Pages")]
pub(crate) struct PagesArgs {
    /// Also request the listed pages, and check whether they respond, whether they may be indexed, and when they
    /// changed
    #[arg(long, group = "asking", conflicts_with_all = ["no_follow", "since"])]
    pub(crate) pages: bool,

    /// Request the listed pages as the old URLs of a move, and check that each redirects permanently, in one step, to a
    /// page of the new set. NEW is the new set: a file, a folder, a URL or a host. Excludes `--pages`
    #[arg(long, value_name = "NEW", group = "asking", conflicts_with_all = ["no_follow", "since"])]
    pub(crate) moved_to: Option<String>,

    /// Write a CSV file of old URLs that do not redirect correctly, with a suggested target where exactly one new URL fits
    #[arg(long, value_name = "FILE", conflicts_with = "pages")]
    pub(crate) moved_csv: Option<PathBuf>,

    /// A file that stores the results for each page, so that an interrupted check can continue and a later one can
    /// detect changes; created if missing [default: nothing is stored]
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,

    /// Request no pages: check the results in the state, and don't change it
    #[arg(long)]
    pub(crate) offline: bool,

    /// Before the site goes live: read the pages from this folder instead of requesting them. The folder's URL is
    /// `--at`, or by default the root of the pages' host
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["offline", "moved_to", "sample"])]
    pub(crate) from_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) patterns: PatternArgs,

    /// Request a sample of this many listed pages; the same seed selects the same pages
    #[arg(long, value_name = "COUNT", conflicts_with = "offline",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) sample: Option<u64>,

    /// The seed that selects the sample
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) request: RequestArgs,
}

/// How pages are requested.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Requests")]
pub(crate) struct RequestArgs {
    /// The minimum number of milliseconds between two requests to one host
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=3_600_000))]
    pub(crate) delay: u64,

    /// The maximum number of seconds for one request; redirects and retries are separate requests
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub(crate) page_timeout: u64,

    /// The maximum number of decompressed bytes to read of a page; the rest of a longer page is ignored
    #[arg(long, value_name = "BYTES", default_value_t = 10 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_page_bytes: u64,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/crawl.txt").trim_ascii_end())]
pub(crate) struct CrawlArgs {
    /// The site's home page: a URL or a host
    #[arg(value_name = "URL")]
    pub(crate) url: String,

    /// A file that stores the results for each page; created if missing
    #[arg(long, value_name = "FILE")]
    pub(crate) state: PathBuf,

    /// The site's sitemap [default: those that robots.txt names, or else the first that exists at a usual path such as
    /// `/sitemap.xml`]
    #[arg(long, value_name = "PATH|URL")]
    pub(crate) sitemap: Option<String>,

    /// The maximum number of pages
    #[arg(long, value_name = "COUNT", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_pages: u64,

    /// The maximum number of links to follow from the home page or a listed page to another page
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub(crate) max_depth: u32,

    /// Stop after this many seconds; run the same command again to continue the crawl [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_time: Option<u64>,

    #[command(flatten)]
    pub(crate) patterns: PatternArgs,

    #[command(flatten)]
    pub(crate) request: RequestArgs,

    #[command(flatten)]
    pub(crate) read: super::read::ReadArgs,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/report.txt").trim_ascii_end())]
pub(crate) struct ReportArgs {
    /// The state file of `check --pages` or `crawl`
    #[arg(long, value_name = "FILE")]
    pub(crate) state: PathBuf,

    /// The HTML file to write
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,

    /// Also write all findings to this file, as CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) logs: AccessLogArgs,
}

/// Access logs, and the IP addresses of crawlers.
#[derive(Args, Debug)]
#[command(next_help_heading = "Access logs")]
pub(crate) struct AccessLogArgs {
    /// Also show how soon crawlers fetched changed pages, according to these access logs; gzip is fine
    #[arg(long, value_name = "LOG", num_args = 1..)]
    pub(crate) access_log: Vec<PathBuf>,

    /// The format of the access logs [default: detected from the first lines of each]
    #[arg(long, value_name = "FORMAT", value_parser = log_format())]
    pub(crate) log_format: Option<LogFormat>,

    /// A file with the IP addresses of crawlers: `google=FILE` for Google's common-crawlers.json, `google-special=FILE`
    /// for its special-crawlers.json, `bing=FILE` for Bing's bingbot.json. Only requests from these addresses are
    /// counted; can be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = crawler_ranges)]
    pub(crate) crawler_ranges: Vec<CrawlerRanges>,
}

/// A file with the IP addresses of crawlers.
#[derive(Clone, Debug)]
pub(crate) struct CrawlerRanges {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// Returns a parser that knows the names of all formats, for the help and the configuration file.
fn log_format() -> impl TypedValueParser<Value = LogFormat> {
    PossibleValuesParser::new(["combined", "json", "cloudfront", "alb"])
        .try_map(|name| name.parse::<LogFormat>())
}

fn crawler_ranges(text: &str) -> Result<CrawlerRanges, String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok(CrawlerRanges { name: name.to_owned(), path: PathBuf::from(path) })
        }
        _ => Err("no name and file; write both, such as `google=common-crawlers.json`".to_owned()),
    }
}
