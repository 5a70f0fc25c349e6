//! Shared code for the example applications: a shop's tables, sample data, static pages and HTML. Does not depend on
//! any driver or framework. [`drive`] is for the applications' tests.

pub mod drive;
pub mod html;
mod options;
mod page;
mod reference;
pub mod sample;
mod tables;

pub use options::Options;
pub use page::Page;
pub use reference::publish_reference;
pub use tables::{Engine, fill, tables};

use std::process::ExitCode;

use sitemap_core::publish::SetOptions;
use sitemap_core::value::SiteError;
use sitemap_core::{Site, SitemapSet, Summary};

/// The shop's base URL.
pub const BASE: &str = "https://shop.example.com";

/// Any error in an example, to be printed for the user.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The rules in robots.txt, without the `Sitemap:` line.
pub const ROBOTS_TXT: &str = "User-agent: *\nAllow: /\nDisallow: /admin/\n";

/// The body of the response if there is no page at an address.
pub const NOT_FOUND: &str = "There is no such page in the shop.";

/// Returns the options of the shop's set, with compression.
pub fn set_options() -> Result<SetOptions, SiteError> {
    Ok(SitemapSet::builder(Site::new(BASE)?).gzip())
}

/// Prints the summary of a published set, and its line for robots.txt. Returns the program's exit code.
pub fn report(program: &str, published: Result<Summary, Error>) -> ExitCode {
    end(program, published.map(|summary| println!("{summary}\n\nfor robots.txt:\n{}", summary.robots_txt())))
}

/// Prints a program's error. Returns the program's exit code.
pub fn end(program: &str, result: Result<(), Error>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{program}: {error}");
            ExitCode::FAILURE
        }
    }
}
