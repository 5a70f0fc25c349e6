//! Runs SQL statements that read and write sitemaps.

mod arguments;
mod run;
mod signal;

use std::process::ExitCode;

use crate::arguments::{Arguments, Command, USAGE};
use crate::signal::{Ended, Signal, until_signal};

fn main() -> ExitCode {
    let command = match Command::parse() {
        Ok(command) => command,
        Err(message) => return failed(&message),
    };
    if log::set_logger(&Logger).is_ok() {
        log::set_max_level(log::LevelFilter::Info);
    }
    match command {
        Command::Help => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        Command::Run(arguments) => run(&arguments),
    }
}

fn run(arguments: &Arguments) -> ExitCode {
    match run::sql(&arguments.file)
        .map_err(Ended::from)
        .and_then(|sql| until_signal(run::run(arguments, &sql)))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(Ended::Error(error)) if run::is_about(&error, "") => failed(&format!(
            "{}; give the query more memory with `--memory`, more disk with `--spill-limit`, or fewer tasks with \
             `--partitions`",
            error.strip_backtrace()
        )),
        Err(Ended::Error(error)) => failed(&error.strip_backtrace()),
        Err(Ended::Signal(Signal { name, number })) => {
            eprintln!("error: interrupted by {name}; a set is published in full or stays as it was");
            ExitCode::from(128 + number)
        }
    }
}

fn failed(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
}

/// A logger that prints the log messages of `sitemap-datafusion`, such as those about skipped rows and the published
/// set.
struct Logger;

impl log::Log for Logger {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target().starts_with("sitemap_datafusion")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            eprintln!("{}", record.args());
        }
    }

    fn flush(&self) {}
}
