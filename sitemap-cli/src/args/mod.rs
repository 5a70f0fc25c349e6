//! The command line: every command and its options.

mod build;
mod notify;
mod read;
mod shard;

use clap::{Parser, Subcommand, ValueEnum};

pub(crate) use build::{
    BuildArgs, BuildDialect, BuildFormat, BuildNames, InputFormat, LastModFrom, OnInvalid,
};
pub(crate) use notify::NotifyArgs;
pub(crate) use read::{
    CheckArgs, CheckFormat, DiffArgs, DiffFormat, Engine, ListArgs, ListFormat, ReadArgs, StatsArgs,
};
pub(crate) use shard::{
    Extension, RowFormat, ShardBucketArgs, ShardCommand, ShardCommitArgs, ShardSite, ShardWriteArgs,
};

/// Checks, lists, builds, compares, announces and measures sitemaps.
#[derive(Debug, Parser)]
#[command(name = "sitemap", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// When to colour the output; `auto` means on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: When,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  sitemap check public/                                 the set of a folder, from its sitemap.xml on
  sitemap check https://www.example.com/sitemap.xml     a live one, with all that it lists
  sitemap list example.com                              all pages of a site, found by its robots.txt
  sitemap build --base https://www.example.com --out public --from-dir public
  sitemap diff old/ new/
  sitemap stats example.com";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Finds what is wrong with a sitemap, with its place and a remedy
    Check(CheckArgs),
    /// Prints every page, through indexes
    List(ListArgs),
    /// Makes a set of sitemap files from a list of pages or from a folder of HTML files
    Build(BuildArgs),
    /// Says which pages were added, removed and changed
    Diff(DiffArgs),
    /// Tells search engines which pages changed, by IndexNow
    Notify(NotifyArgs),
    /// Counts pages by section, month and extension
    Stats(StatsArgs),
    /// Writes one set with many processes: shards by each of them, then one commit
    #[command(after_help = shard::EXAMPLES)]
    Shard {
        #[command(subcommand)]
        command: ShardCommand,
    },
    /// Prints a script that completes this command's words in a shell
    #[command(after_help = "\
Examples:
  sitemap completions bash > ~/.local/share/bash-completion/completions/sitemap
  sitemap completions fish > ~/.config/fish/completions/sitemap.fish")]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Prints the manual page of this command or of one of its subcommands
    #[command(after_help = "\
Examples:
  sitemap man > ~/.local/share/man/man1/sitemap.1
  sitemap man check > ~/.local/share/man/man1/sitemap-check.1")]
    Man {
        /// The subcommand
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
    fn the_definition_has_no_contradictions() {
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
