//! Options of `sitemap build`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{ArgGroup, Args, ValueEnum};
use sitemap_core::publish::ShrinkLimit;

use super::ColumnArgs;
use super::html_page::HtmlPageArgs;
use super::keep::KeepArgs;
use super::out::SiteArgs;
use super::patterns::PatternArgs;
use super::replace::ReplaceArgs;

/// The options that name the source of the pages. Only one of them can be used.
#[cfg(feature = "pages")]
const SOURCES: &[&str] = &["inputs", "from_dir", "from_state"];
#[cfg(not(feature = "pages"))]
const SOURCES: &[&str] = &["inputs", "from_dir"];

#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("source").args(SOURCES),
    after_help = include_str!("help/build.txt").trim_ascii_end()
)]
pub(crate) struct BuildArgs {
    /// Lists of pages: files, or `-` for standard input [default: -]. `posts=posts.csv` puts the pages of a file into
    /// the section `posts`
    #[arg(value_name = "[SECTION=]FILE", value_parser = OsStringValueParser::new().map(BuildInput::new))]
    pub(crate) inputs: Vec<BuildInput>,

    #[command(flatten)]
    pub(crate) site: SiteArgs,

    /// List the HTML files in this folder. Skips files that search engines cannot index, such as those marked
    /// `noindex`, and those that are not pages, such as `404.html`
    #[arg(long, value_name = "DIR")]
    pub(crate) from_dir: Option<PathBuf>,

    /// List the indexable pages that `sitemap crawl` found. `lastmod` is when a later run found changed content
    #[cfg(feature = "pages")]
    #[arg(long, value_name = "FILE")]
    pub(crate) from_state: Option<PathBuf>,

    /// Also publish the pages of an incomplete crawl
    #[cfg(feature = "pages")]
    #[arg(long)]
    pub(crate) allow_incomplete: bool,

    #[command(flatten)]
    pub(crate) patterns: PatternArgs,

    /// Write the skipped files of `--from-dir` to this file, as CSV with the reasons
    #[arg(long, value_name = "FILE")]
    pub(crate) skipped: Option<PathBuf>,

    /// Where `lastmod` comes from with `--from-dir`
    #[arg(long, value_enum, default_value_t)]
    pub(crate) lastmod: LastModFrom,

    /// How URLs end with `--from-dir`. If a file names its own canonical URL, that URL is used instead
    #[arg(long, value_enum, default_value_t)]
    pub(crate) urls: FileUrls,

    /// The file that stores the pages' content between runs, for `--lastmod content`; created if missing
    #[cfg(feature = "pages")]
    #[arg(long, value_name = "FILE", required_if_eq("lastmod", "content"))]
    pub(crate) state: Option<PathBuf>,

    /// The format of all inputs [default: detected from the file name or the first line]
    #[arg(long, value_enum, conflicts_with = "from_dir")]
    pub(crate) input_format: Option<InputFormat>,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    /// The section of inputs that don't name one; it becomes part of the file names
    #[arg(long, value_name = "NAME", default_value = "pages")]
    pub(crate) section: String,

    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,

    /// The format of the files that list pages
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: BuildFormat,

    /// The names of the child sitemaps
    #[arg(long, value_enum, default_value_t)]
    pub(crate) names: BuildNames,

    /// Put each page into one of this many hash buckets, so that `sitemap apply` can change the set later. Each bucket
    /// has its own files, with digests in their names
    #[arg(long, value_name = "COUNT", conflicts_with = "names", value_parser = clap::value_parser!(u32).range(1..=50_000))]
    pub(crate) buckets: Option<u32>,

    /// Publish nothing if the run would remove more published pages than this, even if it adds just as many: a share
    /// such as `30%`, a number of pages such as `5000`, or `off`. `--allow-shrink` overrides it
    #[arg(long, value_name = "LIMIT")]
    pub(crate) max_removed: Option<ShrinkLimit>,

    /// Also remove hash bucket files of interrupted runs that are at least this many days old
    #[arg(long, value_name = "DAYS")]
    pub(crate) remove_uncommitted: Option<u32>,

    #[command(flatten)]
    pub(crate) keep: KeepArgs,

    #[command(flatten)]
    pub(crate) html_page: HtmlPageArgs,

    /// The number of threads that read files with `--from-dir`, and that compress and store the set's files [default:
    /// the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub(crate) threads: Option<u16>,

    /// Compress the child sitemaps with gzip
    #[arg(long)]
    pub(crate) gzip: bool,

    /// Read the published files and replace any that have been modified, instead of trusting their sizes and dates
    #[arg(long)]
    pub(crate) force: bool,

    /// The dialect of the protocol: sitemaps.org 0.9 or Google's older 0.84
    #[arg(long, value_enum, default_value_t)]
    pub(crate) dialect: BuildDialect,

    /// The maximum number of entries in a file
    #[arg(long, value_name = "COUNT", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=50_000))]
    pub(crate) max_urls: u64,

    /// What to do about an invalid page
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_invalid: OnInvalid,
}

/// A list of pages with its section, if the argument names one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BuildInput {
    pub(crate) section: Option<String>,
    path: PathBuf,
}

impl BuildInput {
    /// Splits `SECTION=FILE`. Section names can't contain a slash, so `./a=b.csv` is a file name.
    fn new(argument: OsString) -> Self {
        let parts = argument.to_str().and_then(|text| text.split_once('='));
        match parts.filter(|(section, _)| !section.contains(['/', '\\'])) {
            Some((section, path)) => Self { section: Some(section.to_owned()), path: path.into() },
            None => Self { section: None, path: argument.into() },
        }
    }

    /// Returns the path of the file, or `None` for standard input.
    pub(crate) fn path(&self) -> Option<&Path> {
        Some(self.path.as_path()).filter(|path| path.as_os_str() != "-")
    }

    /// Returns standard input, the default if the command line names no input.
    pub(crate) fn stdin() -> Self {
        Self { section: None, path: "-".into() }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileUrls {
    /// As in the folder: `/about.html`, and `/about/` for `about/index.html`
    #[default]
    Files,
    /// Without the extension: `/about` for `about.html`
    Clean,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LastModFrom {
    /// The date of the last commit that changed the file
    Git,
    /// The modification time of the file
    #[default]
    Mtime,
    /// When a run found that the file's main content had changed; needs `--state`
    #[cfg(feature = "pages")]
    Content,
    /// No `lastmod`
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputFormat {
    Ndjson,
    Csv,
    /// CSV with tabs instead of commas
    Tsv,
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
    /// Name child sitemaps by section, number and a digest of their content: new files never overwrite old ones, so
    /// replacing the index replaces the whole set in one step
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
    /// Publish nothing and exit with an error
    #[default]
    Stop,
    /// Skip the page, report it and continue
    Skip,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equals_sign_separates_the_section_from_the_file() {
        let parsed = |text: &str| {
            let input = BuildInput::new(text.into());
            (input.section.clone(), input.path().map(|path| path.display().to_string()))
        };
        let (some, none) = (|text: &str| Some(text.to_owned()), None::<String>);
        assert_eq!(parsed("posts=posts.csv"), (some("posts"), some("posts.csv")));
        assert_eq!(parsed("posts=-"), (some("posts"), none.clone()));
        assert_eq!(parsed("posts=a=b.csv"), (some("posts"), some("a=b.csv")));
        assert_eq!(parsed("=a.csv"), (some(""), some("a.csv")));
        assert_eq!(parsed("pages.csv"), (none.clone(), some("pages.csv")));
        assert_eq!(parsed("./a=b.csv"), (none.clone(), some("./a=b.csv")));
        assert_eq!(parsed("/x/a=b.csv"), (none.clone(), some("/x/a=b.csv")));
        assert_eq!(parsed("-"), (none.clone(), none));
    }
}
