//! Compares sitemap servers under the same load.

use std::path::Path;
use std::process::ExitCode;

use sitemap_bench::options;
use sitemap_bench::serve::run::{self, USAGE};
use sitemap_bench::serve::server;

fn main() -> ExitCode {
    options::main(USAGE, |arguments| match *arguments {
        ["--server", name, dir, pages] => server::serve(name, Path::new(dir), pages.parse()?),
        _ => run::main(arguments),
    })
}
