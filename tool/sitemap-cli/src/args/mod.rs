//! The command line: all commands and their options.
//!
//! | what | where |
//! |---|---|
//! | a command | `Command` below, and the struct with its name |
//! | the site and the storage of a set | `out` |
//! | what a run keeps and replaces of the published set | `keep`, `replace` |
//! | limits and requests of commands that read | `read`, `network` |
//! | which pages | `patterns` |
//! | columns of lists, and URLs that stand for others | `columns` |
//! | options that need others | `needs` |
//! | examples and notes after the options | `help/*.txt` |

mod build;
mod check;
mod columns;
mod doctor;
mod html_page;
mod keep;
mod needs;
mod network;
mod notify;
mod out;
#[cfg(feature = "pages")]
mod pages;
mod part;
mod patterns;
mod read;
mod replace;
mod shard;
mod threads;
mod update;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

pub(crate) use build::{
    BuildArgs, BuildDialect, BuildFormat, BuildInput, BuildNames, FileUrls, InputFormat, LastModFrom,
    OnInvalid,
};
pub(crate) use check::{AlsoFormat, CheckArgs, CheckFormat, Engine, rules};
pub(crate) use columns::{Column, ColumnArgs, MapArgs};
pub(crate) use doctor::DoctorArgs;
pub(crate) use needs::{has_needs, innermost, is_given, parse};
pub(crate) use network::NetworkArgs;
pub(crate) use notify::NotifyArgs;
pub(crate) use out::{BucketArgs, OutArgs, SiteArgs};
#[cfg(feature = "pages")]
pub(crate) use pages::{AccessLogArgs, CrawlArgs, ReportArgs, RequestArgs};
pub(crate) use patterns::PatternArgs;
pub(crate) use read::{DiffArgs, DiffFormat, ListArgs, ListFormat, ReadArgs, StatsArgs};
pub(crate) use shard::{RowFormat, ShardBucketArgs, ShardCommand, ShardCommitArgs, ShardWriteArgs};
pub(crate) use threads::{ThreadArgs, count as threads};
pub(crate) use update::{ApplyArgs, ChangesFormat, RebucketArgs, Unknown};

/// Checks, lists, builds and compares XML sitemaps, and tells search engines about changes.
#[derive(Debug, Parser)]
#[command(name = "sitemap", version, arg_required_else_help = true, after_help = include_str!("help/sitemap.txt").trim_ascii_end())]
pub(crate) struct Cli {
    /// Colour the output; `auto` colours it only on a terminal, and only if `NO_COLOR` is not set
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        help_heading = "All commands"
    )]
    pub(crate) color: When,

    /// Read defaults from this file instead of the nearest `sitemap.toml`, in the current folder or above it
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        conflicts_with = "no_config",
        help_heading = "All commands"
    )]
    pub(crate) config: Option<PathBuf>,

    /// Read no `sitemap.toml`
    #[arg(long, global = true, help_heading = "All commands")]
    pub(crate) no_config: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Checks a sitemap against the protocol, and reports each finding with its line and a fix
    Check(CheckArgs),
    /// Prints every entry of a sitemap and its child sitemaps
    List(ListArgs),
    /// Builds a set of sitemap files from a list of pages or from a folder of HTML files
    Build(BuildArgs),
    /// Changes some pages of a published set, and writes only the files of these pages
    Apply(ApplyArgs),
    /// Moves the pages of a published set into hash buckets, so that `apply` can change them
    Rebucket(RebucketArgs),
    /// Compares two sets, and prints which pages were added, removed or changed
    Diff(DiffArgs),
    /// Fetches a sitemap as a crawler does, and reports which step fails and why
    Doctor(DoctorArgs),
    /// Tells search engines which pages changed, with IndexNow
    Notify(NotifyArgs),
    /// Counts entries by section, month and extension
    Stats(StatsArgs),
    /// Follows a site's links, and stores what its pages report
    #[cfg(feature = "pages")]
    Crawl(CrawlArgs),
    /// Writes one HTML page about a site: its sections, findings and dates
    #[cfg(feature = "pages")]
    Report(ReportArgs),
    /// Builds one set with many processes: each writes shards, and one commits them all
    #[command(after_help = include_str!("help/shard.txt").trim_ascii_end())]
    Shard {
        #[command(subcommand)]
        command: ShardCommand,
    },
    /// Prints the settings of `sitemap.toml`, and where each value comes from
    #[command(after_help = include_str!("help/config.txt").trim_ascii_end())]
    Config {
        /// Print all keys as comments, each with its meaning and default
        #[arg(long)]
        keys: bool,
    },
    /// Prints a completion script for a shell
    #[command(after_help = include_str!("help/completions.txt").trim_ascii_end())]
    Completions {
        /// The shell to complete commands for
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Prints the manual page of `sitemap` or of one of its subcommands
    #[command(after_help = include_str!("help/man.txt").trim_ascii_end())]
    Man {
        /// The subcommand to describe [default: `sitemap` itself]
        command: Option<String>,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    #[default]
    Auto,
    Always,
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Examples:"), "{}", command.get_name());
        }
    }
}
