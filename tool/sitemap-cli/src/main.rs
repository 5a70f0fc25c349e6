//! The `sitemap` command.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(sitemap_cli::run(env::args_os()))
}
