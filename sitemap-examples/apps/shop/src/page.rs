//! The static pages, which are not in the database.

use sitemap_core::SitemapEntry;

/// A static page. The variants have no fields, so `Page::ROUTES` and `Page::PAGES` list the same pages in the same
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SitemapEntry)]
#[sitemap(rename_all = "kebab-case", changefreq = "monthly", section = "pages")]
pub enum Page {
    /// The front page.
    #[sitemap(loc = "/", changefreq = "daily", priority = 1.0)]
    Home,
    /// The page about the company.
    About,
    /// The page about shipping costs and returns.
    ShippingAndReturns,
}

impl Page {
    /// Returns the heading of the page.
    pub fn title(self) -> &'static str {
        match self {
            Self::Home => "Tables & chairs",
            Self::About => "About us",
            Self::ShippingAndReturns => "Shipping and returns",
        }
    }
}

#[cfg(test)]
mod tests {
    use sitemap_core::StaticPages as _;
    use sitemap_core::record::HasRoutes as _;

    use super::*;

    #[test]
    fn each_page_has_its_route_at_the_same_place() {
        let routes: Vec<_> = Page::ROUTES.iter().map(|route| route.name().to_owned()).collect();
        let pages: Vec<_> = Page::PAGES.iter().map(|page| format!("{page:?}")).collect();
        assert_eq!(routes, pages);
        assert_eq!(pages, ["Home", "About", "ShippingAndReturns"]);
    }
}
