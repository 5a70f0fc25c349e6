//! The configuration file `sitemap.toml`: defaults for options, and levels for rules.
//!
//! | what | where |
//! |---|---|
//! | which file | `file` |
//! | which keys | `schema` |
//! | reading the file | `parse`, `value`; levels of rules: `rules` |
//! | adding the settings to the command line | `defaults` |
//! | `sitemap config` | `print` |

mod defaults;
mod file;
mod parse;
mod print;
mod rules;
mod schema;
mod settings;
mod value;

use std::ffi::OsString;

use clap::CommandFactory as _;

use self::defaults::Flags;
use self::file::ConfigFile;
pub(crate) use self::settings::Config;
use crate::args::{self, Cli};
use crate::error::Outcome;

/// Prints the settings of the configuration file, or all possible keys.
pub(crate) fn print(config: &Config, keys: bool) -> Outcome<()> {
    let cli = Cli::command();
    if keys { print::keys(&cli) } else { print::settings(config, &cli) }
}

/// Parses the command line, with defaults from the configuration file.
///
/// Ends the program if the command line is invalid or asks for help.
pub(crate) fn parse(arguments: &[OsString]) -> Outcome<(Cli, Config)> {
    let cli = Cli::command();
    let flags = Flags::of(&cli, arguments);
    // This pass only finds the command and its options. Errors are reported later, when the whole command line is
    // parsed.
    let mut parser = cli.clone().ignore_errors(true);
    let given = parser.try_get_matches_from_mut(&flags.arguments);
    let given = given.unwrap_or_else(|error| error.exit());
    let config = match given.subcommand_name() {
        None | Some("completions" | "man") => Config::default(),
        Some(_) => match ConfigFile::of(&given)? {
            Some(file) => parse::parse(file, &cli)?,
            None => Config::default(),
        },
    };
    let arguments = flags.with(&config.settings, &parser, &given)?;
    Ok((args::parse(arguments).unwrap_or_else(|error| error.exit()), config))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_found_before_the_command_line_is_complete() {
        let given = |text: &str| {
            let matches = Cli::command().ignore_errors(true).try_get_matches_from(text.split(' ')).unwrap();
            (matches.get_flag("no_config"), matches.get_one::<std::path::PathBuf>("config").cloned())
        };
        assert_eq!(given("sitemap check a"), (false, None));
        assert_eq!(given("sitemap check --config a.toml b"), (false, Some("a.toml".into())));
        assert_eq!(given("sitemap --config=a.toml check"), (false, Some("a.toml".into())));
        assert_eq!(given("sitemap build --config=a.toml"), (false, Some("a.toml".into())));
        assert_eq!(given("sitemap check --no-config"), (true, None));
        assert_eq!(given("sitemap check -- --no-config"), (false, None));
        assert_eq!(given("sitemap check --config"), (false, None));
    }
}
