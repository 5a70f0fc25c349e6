//! Compares servers of sitemaps under the same load.

use std::path::Path;
use std::process::ExitCode;

use sitemap_bench::Result;
use sitemap_bench::serve::options::{ServeOptions, USAGE};
use sitemap_bench::serve::{run, server};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["--help"] => {
            print!("{USAGE}");
            Ok(())
        }
        ["--server", name, dir, pages] => serve(name, dir, pages),
        _ => ServeOptions::parse(arguments.into_iter().map(str::to_owned))
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

fn serve(name: &str, dir: &str, pages: &str) -> Result<()> {
    server::serve(name, Path::new(dir), pages.parse()?)
}
