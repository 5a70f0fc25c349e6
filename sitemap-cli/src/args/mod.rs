//! The command line: all commands and their options.

mod build;
mod keep;
mod notify;
mod out;
mod read;
mod replace;
mod shard;

use clap::{Parser, Subcommand, ValueEnum};

pub(crate) use build::{
    BuildArgs, BuildDialect, BuildFormat, BuildInput, BuildNames, InputFormat, LastModFrom, OnInvalid,
};
pub(crate) use notify::NotifyArgs;
pub(crate) use out::{BucketArgs, OutArgs};
pub(crate) use read::{
    CheckArgs, CheckFormat, DiffArgs, DiffFormat, Engine, ListArgs, ListFormat, ReadArgs, StatsArgs,
};
pub(crate) use shard::{
    Extension, RowFormat, ShardBucketArgs, ShardCommand, ShardCommitArgs, ShardWriteArgs,
};

/// Checks, lists, builds and compares XML sitemaps, and tells search engines about changes.
#[derive(Debug, Parser)]
#[command(name = "sitemap", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Colour the output; `auto` means on a terminal only, and not if `NO_COLOR` is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: When,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  sitemap check public/                                 the set in a folder
  sitemap check https://www.example.com/sitemap.xml     a published sitemap and its children
  sitemap list example.com                              all page URLs of a site
  sitemap build --base https://www.example.com --out public --from-dir public
  sitemap diff old/ new/
  sitemap stats example.com";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Checks a sitemap against the protocol, and reports each finding with its line and a remedy
    Check(CheckArgs),
    /// Prints every entry of a sitemap and its child sitemaps
    List(ListArgs),
    /// Builds a set of sitemap files from a list of pages or from a folder of HTML files
    Build(BuildArgs),
    /// Compares two sets, and prints the pages that were added, removed or changed
    Diff(DiffArgs),
    /// Tells search engines which pages changed, with IndexNow
    Notify(NotifyArgs),
    /// Counts entries by section, month and extension
    Stats(StatsArgs),
    /// Builds one set with many processes: each writes shards, then one commits them
    #[command(after_help = shard::EXAMPLES)]
    Shard {
        #[command(subcommand)]
        command: ShardCommand,
    },
    /// Prints a completion script for a shell
    #[command(after_help = "\
Examples:
  sitemap completions bash > ~/.local/share/bash-completion/completions/sitemap
  sitemap completions fish > ~/.config/fish/completions/sitemap.fish")]
    Completions {
        /// The shell that the script is for
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Prints the manual page of `sitemap` or of one of its subcommands
    #[command(after_help = "\
Examples:
  sitemap man > ~/.local/share/man/man1/sitemap.1
  sitemap man check > ~/.local/share/man/man1/sitemap-check.1")]
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
