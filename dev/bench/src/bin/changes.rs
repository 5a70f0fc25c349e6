//! Measures the cost of publishing after some pages of a set have changed.

use std::process::ExitCode;

use sitemap_bench::changes::run::{self, USAGE};
use sitemap_bench::{changes::measure, options};

fn main() -> ExitCode {
    options::main(USAGE, |arguments| match arguments {
        [measure::CHILD, arguments @ ..] => measure::main(arguments),
        _ => run::main(arguments),
    })
}
