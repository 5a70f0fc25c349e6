//! Options of `sitemap check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sitemap_read::{Levels, RuleSelector};

use super::{MapArgs, ReadArgs, ThreadArgs};
use crate::suggest;

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/check.txt").trim_ascii_end())]
pub(crate) struct CheckArgs {
    /// A file, a folder, a URL, a host, a robots.txt, a list of pages in CSV or NDJSON, or `-` for standard input
    #[arg(value_name = "PATH|URL|-", required_unless_present = "explain")]
    pub(crate) target: Option<String>,

    /// The format of the report
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CheckFormat,

    /// Also write the report in this format to a file; can be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = also)]
    pub(crate) also: Vec<AlsoFormat>,

    /// Treat warnings as errors
    #[arg(long)]
    pub(crate) strict: bool,

    /// Also check the rules of this search engine; can be repeated
    #[arg(long, value_enum)]
    pub(crate) engine: Vec<Engine>,

    /// The URL that the file or folder is served at; it decides which pages a sitemap may list
    #[arg(long, value_name = "URL")]
    pub(crate) at: Option<String>,

    /// Check an index without its child sitemaps
    #[arg(long)]
    pub(crate) no_follow: bool,

    /// Check only indexes, and sitemaps that differ from an older set that `sitemap build` published to a folder or an
    /// object store; the report counts the skipped sitemaps
    #[arg(long, value_name = "OLD", conflicts_with_all = ["no_follow", "baseline", "write_baseline"])]
    pub(crate) since: Option<String>,

    /// The maximum number of findings to report for each rule; 0 reports all [default: 10 for the formats human and
    /// github, 1000 for others; `--also` files use the limit of `--format`]
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_findings: Option<u64>,

    /// The maximum number of language versions in the files to remember until a link back is found; 0 checks none. Language
    /// versions that pages name have a separate limit, 3,000,000
    #[arg(long, value_name = "COUNT", default_value_t = 100_000)]
    pub(crate) max_pending_links: usize,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    #[command(flatten)]
    pub(crate) rules: RuleArgs,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    #[cfg(feature = "pages")]
    #[command(flatten)]
    pub(crate) pages: super::pages::PagesArgs,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Which findings count.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules")]
pub(crate) struct RuleArgs {
    /// Print why a rule exists, with a wrong and a right example, or list the rules of a group, a severity or `all`
    #[arg(long, value_name = "RULE", value_parser = rules, conflicts_with = "target")]
    pub(crate) explain: Option<RuleSelector>,

    /// Hide the findings of a rule, a group, a severity or `all`, and report only how many there are; can be repeated,
    /// like `--warn` and `--deny`
    #[arg(long, value_name = "RULE", value_parser = rules)]
    pub(crate) allow: Vec<RuleSelector>,

    /// Report these findings as warnings
    #[arg(long, value_name = "RULE", value_parser = rules)]
    pub(crate) warn: Vec<RuleSelector>,

    /// Report these findings as errors
    #[arg(long, value_name = "RULE", value_parser = rules)]
    pub(crate) deny: Vec<RuleSelector>,

    /// Report only findings that are not in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write all findings to this file, for `--baseline`, and exit with status 0
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,
}

impl RuleArgs {
    /// Returns the levels from the command line. If a set of rules is named twice, the stricter level wins.
    pub(crate) fn levels(&self) -> Levels {
        let mut levels = Levels::new();
        for &rules in &self.allow {
            levels = levels.allow(rules);
        }
        for &rules in &self.warn {
            levels = levels.warn(rules);
        }
        for &rules in &self.deny {
            levels = levels.deny(rules);
        }
        levels
    }
}

/// Parses the name of a rule or a set of rules.
pub(crate) fn rules(name: &str) -> Result<RuleSelector, String> {
    name.parse().map_err(|_| {
        let names = RuleSelector::names();
        suggest::unknown("rule", name, names, "`sitemap check --explain all` lists the rules")
    })
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people: each finding with its line, a caret and a fix
    #[default]
    Human,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations in the log of a GitHub workflow
    Github,
    /// `JUnit` XML, with a test case for each finding
    Junit,
    /// A Markdown table by rule and file, for a job summary
    Markdown,
}

/// A report format with its output file.
#[derive(Clone, Debug)]
pub(crate) struct AlsoFormat {
    pub(crate) format: CheckFormat,
    pub(crate) path: PathBuf,
}

fn also(text: &str) -> Result<AlsoFormat, String> {
    let Some((name, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        return Err("no format and file; write both, such as `markdown=summary.md`".to_owned());
    };
    let formats = CheckFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let names: Vec<String> = formats.map(|format| format.get_name().to_owned()).collect();
    let known = names.iter().map(String::as_str);
    let format = CheckFormat::from_str(name, false).map_err(|_| {
        suggest::unknown("format", name, known, &format!("the formats are {}", names.join(", ")))
    })?;
    Ok(AlsoFormat { format, path: PathBuf::from(path) })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Google,
    Bing,
    Yandex,
}
