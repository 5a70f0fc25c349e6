//! The keys of the configuration: the long options of all commands.

use std::any::TypeId;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command};

/// Options that only make sense for a single run, so they are not keys.
const NOT_KEYS: [&str; 7] =
    ["help", "version", "config", "no-config", "explain", "write-baseline", "allow-shrink"];

/// Commands without a table.
const WITHOUT_TABLE: [&str; 4] = ["config", "completions", "man", "help"];

/// The lists of rules in the table `[check]`. They are not defaults, because the command line adds to them instead of
/// replacing them.
pub(super) const LEVELS: [&str; 3] = ["allow", "warn", "deny"];

/// Returns the options of a command that can be keys of its table.
pub(super) fn keys(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| arg.get_long().is_some_and(|long| !NOT_KEYS.contains(&long)))
}

/// Returns the subcommands that have tables.
pub(super) fn tables(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !WITHOUT_TABLE.contains(&command.get_name()))
}

pub(super) fn is_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

pub(super) fn is_list(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}

pub(super) fn is_path(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == TypeId::of::<PathBuf>()
}

pub(super) fn key(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_default()
}
