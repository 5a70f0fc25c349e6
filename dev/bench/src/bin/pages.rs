//! Measures how fast, and with how much CPU time, programs ask all pages of a site.

use std::process::ExitCode;
use std::time::Duration;

use sitemap_bench::Result;
use sitemap_bench::pages::options::{PageOptions, USAGE};
use sitemap_bench::pages::{bare, run, server};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["--help"] => {
            print!("{USAGE}");
            Ok(())
        }
        ["--server", pages, latency] => serve(pages, latency),
        ["--bare", pages, origin, jobs] => floor(pages, origin, jobs),
        _ => PageOptions::parse(arguments.into_iter().map(str::to_owned))
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

fn serve(pages: &str, latency: &str) -> Result<()> {
    server::serve(pages.parse()?, Duration::from_millis(latency.parse()?))
}

fn floor(pages: &str, origin: &str, jobs: &str) -> Result<()> {
    bare::run(pages.parse()?, origin, jobs.parse()?)
}
