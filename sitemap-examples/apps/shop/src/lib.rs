//! What the example applications share: a shop's tables, its sample data, its static pages and the
//! HTML around its products. None of it knows of a driver or a framework.

pub mod html;
mod options;
mod page;
mod reference;
mod route;
pub mod sample;
mod tables;

pub use options::Options;
pub use page::Page;
pub use reference::publish_reference;
pub use tables::{Engine, fill, tables};

use sitemap_core::publish::PublisherBuilder;
use sitemap_core::value::SiteError;
use sitemap_core::{Publisher, Site};

/// Where the shop is on the web.
pub const BASE: &str = "https://shop.example.com";

/// What all that goes wrong in an example comes down to: a text for whoever started it.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// What robots.txt says beside where the sitemap is.
pub const ROBOTS_TXT: &str = "User-agent: *\nAllow: /\nDisallow: /admin/\n";

/// How the shop publishes: compressed, one section a kind of page.
pub fn publisher() -> Result<PublisherBuilder, SiteError> {
    Ok(Publisher::builder(Site::new(BASE)?).gzip())
}
