//! Shared code of the example applications: the tables of a shop, sample data, static pages and HTML. It does not
//! depend on any driver or framework. [`drive`] is for the tests of the applications.

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

use sitemap_core::publish::PublisherBuilder;
use sitemap_core::value::SiteError;
use sitemap_core::{Publisher, Site, Summary};

/// The base URL of the shop.
pub const BASE: &str = "https://shop.example.com";

/// The error of an example, which is printed for the user.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The rules of robots.txt, without the line for the sitemap.
pub const ROBOTS_TXT: &str = "User-agent: *\nAllow: /\nDisallow: /admin/\n";

/// The body of the response for an address without a page.
pub const NOT_FOUND: &str = "There is no such page in the shop.";

/// Returns the publisher settings of the shop, with compression.
pub fn publisher() -> Result<PublisherBuilder, SiteError> {
    Ok(Publisher::builder(Site::new(BASE)?).gzip())
}

/// Prints the summary of a published set and its line for robots.txt. Ends a program with the code that it returns.
pub fn report(program: &str, published: Result<Summary, Error>) -> ExitCode {
    end(program, published.map(|summary| println!("{summary}\n\nfor robots.txt:\n{}", summary.robots_txt())))
}

/// Prints the error of a program. Ends the program with the code that it returns.
pub fn end(program: &str, result: Result<(), Error>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{program}: {error}");
            ExitCode::FAILURE
        }
    }
}
