//! Measures how fast programs request all pages of a site, and how much CPU time they need.

use std::process::ExitCode;
use std::time::Duration;

use sitemap_bench::options;
use sitemap_bench::pages::run::{self, USAGE};
use sitemap_bench::pages::{bare, server};

fn main() -> ExitCode {
    options::main(USAGE, |arguments| match *arguments {
        ["--server", pages, latency] => {
            server::serve(pages.parse()?, Duration::from_millis(latency.parse()?))
        }
        ["--bare", pages, origin, jobs] => bare::run(pages.parse()?, origin, jobs.parse()?),
        _ => run::main(arguments),
    })
}
