//! The configuration file `sitemap.toml`: defaults of the options, and levels of rules.

mod apply;
mod file;
mod glob;
mod parse;
mod print;
mod rules;
mod schema;
mod settings;
mod value;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _};

use self::file::ConfigFile;
pub(crate) use self::settings::Config;
use crate::args::Cli;
use crate::error::Outcome;

/// Prints the settings of the configuration file, or all keys that it may have.
pub(crate) fn print(config: &Config, keys: bool) -> Outcome<()> {
    let cli = Cli::command();
    if keys { print::keys(&cli) } else { print::settings(config, &cli) }
}

/// Parses the command line. The configuration file has the defaults.
///
/// Ends the program if the command line has an error or asks for help.
pub(crate) fn parse(arguments: &[OsString]) -> Outcome<(Cli, Config)> {
    let cli = Cli::command();
    let plain = cli.clone().try_get_matches_from(arguments);
    let needs_no_file = match &plain {
        Err(error) => matches!(
            error.kind(),
            ErrorKind::DisplayHelp
                | ErrorKind::DisplayVersion
                | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                | ErrorKind::InvalidSubcommand
                | ErrorKind::MissingSubcommand
        ),
        Ok(matches) => matches!(matches.subcommand_name(), Some("completions" | "man")),
    };
    let file = if needs_no_file { None } else { ConfigFile::of(arguments)? };
    let content = file.as_ref().map(|file| parse::parse(file, &cli)).transpose()?.unwrap_or_default();
    let matches = apply::matches(&cli, &content.settings, arguments)?;
    let parsed = matches.and_then(|matches| {
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut Cli::command()))
    });
    let cli = parsed.unwrap_or_else(|error| error.exit());
    let config = Config {
        file,
        settings: content.settings,
        lists: content.lists,
        levels: content.levels,
        overrides: content.overrides,
    };
    Ok((cli, config))
}
