//! The `sitemap` command: checks, lists, builds and compares XML sitemaps, and tells search engines about
//! changes.

mod advice;
mod args;
mod buckets;
mod build;
mod changed_file;
mod changes;
mod check;
mod config;
mod diff;
mod doctor;
mod error;
mod interrupt;
mod list;
mod notify;
mod number;
mod output;
mod page_table;
#[cfg(feature = "pages")]
mod pages;
mod percent;
mod remaining;
#[cfg(feature = "pages")]
mod run_time;
mod secret;
mod section;
mod shard;
mod shell;
mod side_file;
mod source;
mod stats;
mod suggest;
mod temporary;
mod terminal;
mod update;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use crate::args::{Cli, Command, ShardCommand, When};
use crate::config::Config;
use crate::error::{Outcome, Stop};
use crate::terminal::{Ink, Paint, say};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().collect();
    let (cli, config) = match config::parse(&arguments) {
        Ok(parsed) => parsed,
        Err(Stop::Quiet) => return ExitCode::SUCCESS,
        Err(Stop::Error(message) | Stop::Shrunk(message)) => {
            return failed(&message, Paint::stderr(When::Auto));
        }
    };
    let paint = Paint::stderr(cli.color);
    match run(&cli, &config) {
        Ok(code) => code,
        Err(Stop::Quiet) => ExitCode::SUCCESS,
        Err(Stop::Error(message)) => failed(&message, paint),
        Err(Stop::Shrunk(message)) => {
            say(&format!("{}: {message}", paint.ink(Ink::Error, "error")));
            ExitCode::from(3)
        }
    }
}

/// Reports an error, or the signal that caused it, and returns the exit status.
fn failed(message: &str, paint: Paint) -> ExitCode {
    let signal = interrupt::ended_by();
    if signal.is_none() || !message.contains(interrupt::MESSAGE) {
        say(&format!("{}: {message}", paint.ink(Ink::Error, "error")));
    }
    match signal {
        Some(signal) => {
            say(&interrupt::unchanged(signal));
            ExitCode::from(interrupt::status(signal))
        }
        None => ExitCode::from(2),
    }
}

fn run(cli: &Cli, config: &Config) -> Outcome<ExitCode> {
    let (out, err) = (Paint::stdout(cli.color), Paint::stderr(cli.color));
    if publishes(&cli.command) {
        interrupt::watch().map_err(|error| Stop::new(format!("cannot watch for signals: {error}")))?;
    }
    match &cli.command {
        Command::Check(args) => return Ok(failing_if(check::run(args, config, out, err)?)),
        Command::List(args) => list::run(args)?,
        Command::Build(args) => build::run(args, err)?,
        Command::Apply(args) => update::apply(args, err)?,
        Command::Rebucket(args) => update::rebucket(args)?,
        Command::Diff(args) => return Ok(failing_if(diff::run(args, out)?)),
        Command::Doctor(args) => return Ok(failing_if(doctor::run(args, out)?)),
        Command::Notify(args) => notify::run(args)?,
        Command::Stats(args) => stats::run(args, out)?,
        #[cfg(feature = "pages")]
        Command::Crawl(args) => return Ok(failing_if(pages::crawl::run(args, err)?)),
        #[cfg(feature = "pages")]
        Command::Report(args) => pages::report::run(args)?,
        Command::Shard { command } => shard::run(command, err)?,
        Command::Config { keys } => config::print(config, *keys)?,
        Command::Completions { shell } => shell::completions(*shell)?,
        Command::Man { command } => shell::man(command.as_deref())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns `true` for a command that writes to the storage of a set.
fn publishes(command: &Command) -> bool {
    match command {
        Command::Build(_) | Command::Apply(_) | Command::Rebucket(_) => true,
        Command::Shard { command } => matches!(command, ShardCommand::Write(_) | ShardCommand::Commit(_)),
        _ => false,
    }
}

fn failing_if(failed: bool) -> ExitCode {
    ExitCode::from(u8::from(failed))
}
