//! The pages that are not in the database.

use sitemap_core::{Error, Site, SitemapEntry, entries_of};

use crate::BASE;

/// A static page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SitemapEntry)]
#[sitemap(changefreq = "monthly")]
pub enum Page {
    /// The front page.
    #[sitemap(loc = "/", changefreq = "daily", priority = 1.0)]
    Home,
    /// Who runs the shop.
    #[sitemap(loc = "/about")]
    About,
    /// What it costs to send a parcel.
    #[sitemap(loc = "/shipping-and-returns")]
    Shipping,
}

impl Page {
    /// Its path, for routers: what the sitemap says, without the host.
    pub fn path(self) -> Result<String, Error> {
        let pages = entries_of(&self, &Site::new(BASE)?)?;
        Ok(pages.iter().map(|page| page.loc().as_str().replacen(BASE, "", 1)).collect())
    }

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Home => "Tables & chairs",
            Self::About => "About us",
            Self::Shipping => "Shipping and returns",
        }
    }
}
