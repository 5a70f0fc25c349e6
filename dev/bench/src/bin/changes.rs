//! Measures what a publication costs after some pages of a set have changed.

use std::process::ExitCode;

use sitemap_bench::Result;
use sitemap_bench::changes::options::{ChangeOptions, USAGE};
use sitemap_bench::changes::{measure, run};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result: Result<()> = match arguments[..] {
        ["--help"] => {
            print!("{USAGE}");
            Ok(())
        }
        [measure::CHILD, ..] => measure::main(&arguments[1..]),
        _ => ChangeOptions::parse(arguments.into_iter().map(str::to_owned))
            .and_then(|options| run::run(&options)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
