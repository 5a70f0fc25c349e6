//! The `sitemap` command: checks, lists, builds and compares XML sitemaps, and tells search engines about changes.
//!
//! This library contains the whole command, for programs that embed it, such as the Python module. Its functions read
//! files and URLs as the command does. Programs written in Rust should use `sitemap-core` and `sitemap-read` instead.
//!
//! | what | where |
//! |---|---|
//! | a command | the module with its name; `apply` and `rebucket` in `update`, `crawl` and `report` in `pages` |
//! | the options of a command, and its help | `args`; the texts after the options in `args/help` |
//! | options that need other options | `args/needs` |
//! | `sitemap.toml`, and `sitemap config` | `config` |
//! | a format of findings | `check` |
//! | what a target names; downloads, the cache, credentials | `source` |
//! | lists of pages: CSV, TSV, NDJSON, text | `page_list` |
//! | rows and files that become pages | `build` |
//! | two published sets in hash buckets | `buckets` |
//! | signals | `interrupt` |
//! | errors and exit statuses | `error`, and `run` below |
//! | colours, progress and messages | `terminal`, `progress`, `number`, `suggest` |
//! | the Python module | `embed`, `caller` |

mod advice;
mod args;
mod buckets;
mod build;
mod caller;
mod changes;
mod check;
mod config;
mod csv_file;
mod diff;
mod doctor;
pub mod embed;
mod error;
mod file_visit;
mod glob;
mod in_order;
mod interrupt;
mod list;
mod manifest;
mod notify;
mod number;
mod output;
mod page_file;
mod page_list;
mod page_table;
#[cfg(feature = "pages")]
mod pages;
mod percent;
mod progress;
mod run_time;
mod secret;
mod shard;
mod shell;
mod side_file;
mod site_folder;
mod source;
mod stats;
mod suggest;
mod temporary;
mod terminal;
mod update;
mod url_map;
mod xml;

use std::ffi::OsString;
use std::io::{self, Write as _};

use crate::args::{Cli, Command, ShardCommand, When};
use crate::config::Config;
use crate::error::{Outcome, Stop};
use crate::terminal::{Ink, Paint, say};

/// Runs the command, and returns its exit status. The first argument is the program's name.
///
/// Exits the process if the arguments are wrong or ask for help, and after a signal.
///
/// ```
/// let status = sitemap_cli::run(["sitemap", "check", "no-such-file.xml"].map(Into::into));
/// assert_eq!(status, 2);
/// ```
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let status = command(&arguments);
    // Programs in other languages do not flush Rust's buffer. An error was already reported when the output was
    // written.
    let _ = io::stdout().flush();
    status
}

fn command(arguments: &[OsString]) -> u8 {
    let (cli, config) = match config::parse(arguments) {
        Ok(parsed) => parsed,
        Err(Stop::Quiet) => return 0,
        Err(Stop::Error(message) | Stop::Shrunk(message)) => {
            return failed(&message, Paint::stderr(When::Auto));
        }
    };
    let paint = Paint::stderr(cli.color);
    match dispatch(&cli, &config) {
        Ok(status) => status,
        Err(Stop::Quiet) => 0,
        Err(Stop::Error(message)) => failed(&message, paint),
        Err(Stop::Shrunk(message)) => {
            say(&format!("{}: {message}", paint.ink(Ink::Error, "error")));
            3
        }
    }
}

/// Reports an error, or the signal that caused it, and returns the exit status.
fn failed(message: &str, paint: Paint) -> u8 {
    let signal = interrupt::ended_by();
    if signal.is_none() || !message.contains(interrupt::MESSAGE) {
        say(&format!("{}: {message}", paint.ink(Ink::Error, "error")));
    }
    match signal {
        Some(signal) => {
            say(&interrupt::unchanged(signal));
            interrupt::status(signal)
        }
        None => 2,
    }
}

fn dispatch(cli: &Cli, config: &Config) -> Outcome<u8> {
    let (out, err) = (Paint::stdout(cli.color), Paint::stderr(cli.color));
    if publishes(&cli.command) {
        run_time::date_sets()?;
        interrupt::watch().map_err(|error| Stop::new(format!("cannot watch for signals: {error}")))?;
    }
    match &cli.command {
        Command::Check(args) => return Ok(u8::from(check::run(args, config, out, err)?)),
        Command::List(args) => list::run(args)?,
        Command::Build(args) => build::run(args, err)?,
        Command::Apply(args) => update::apply(args, err)?,
        Command::Rebucket(args) => update::rebucket(args)?,
        Command::Diff(args) => return Ok(u8::from(diff::run(args, out)?)),
        Command::Doctor(args) => return Ok(u8::from(doctor::run(args, config, out)?)),
        Command::Notify(args) => notify::run(args)?,
        Command::Stats(args) => stats::run(args, out)?,
        #[cfg(feature = "pages")]
        Command::Crawl(args) => return Ok(u8::from(pages::crawl::run(args, err)?)),
        #[cfg(feature = "pages")]
        Command::Report(args) => pages::report::run(args)?,
        Command::Shard { command } => shard::run(command, err)?,
        Command::Config { keys } => config::print(config, *keys)?,
        Command::Completions { shell } => shell::completions(*shell)?,
        Command::Man { command } => shell::man(command.as_deref())?,
    }
    Ok(0)
}

/// Returns `true` for a command that writes to the storage of a set.
fn publishes(command: &Command) -> bool {
    match command {
        Command::Build(_) | Command::Apply(_) | Command::Rebucket(_) => true,
        Command::Shard { command } => matches!(command, ShardCommand::Write(_) | ShardCommand::Commit(_)),
        _ => false,
    }
}
