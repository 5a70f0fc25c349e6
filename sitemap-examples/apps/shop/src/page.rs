//! The pages that are not in the database.

use sitemap_core::SitemapEntry;

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
    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Home => "Tables & chairs",
            Self::About => "About us",
            Self::Shipping => "Shipping and returns",
        }
    }
}
