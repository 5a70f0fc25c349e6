//! The static pages, which are not in the database.

use sitemap_core::{Error, Site, SitemapEntry, entries_of};

use crate::BASE;

/// A static page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SitemapEntry)]
#[sitemap(changefreq = "monthly")]
pub enum Page {
    /// The front page.
    #[sitemap(loc = "/", changefreq = "daily", priority = 1.0)]
    Home,
    /// The page about the company.
    #[sitemap(loc = "/about")]
    About,
    /// The page about shipping costs and returns.
    #[sitemap(loc = "/shipping-and-returns")]
    Shipping,
}

impl Page {
    /// Returns the path of the page, for routers. The path is the page's URL in the sitemap without the base URL.
    pub fn path(self) -> Result<String, Error> {
        let pages = entries_of(&self, &Site::new(BASE)?)?;
        Ok(pages.iter().map(|page| page.loc().as_str().replacen(BASE, "", 1)).collect())
    }

    /// Returns the heading of the page.
    pub fn title(self) -> &'static str {
        match self {
            Self::Home => "Tables & chairs",
            Self::About => "About us",
            Self::Shipping => "Shipping and returns",
        }
    }
}
