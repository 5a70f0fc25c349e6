use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com")]
enum Route {
    #[sitemap(loc = "/")]
    Home,
    #[sitemap(loc = "https://EXAMPLE.com")]
    Start,
    #[sitemap(loc = "/%c3%bcber")]
    About { _name: String },
    #[sitemap(loc = "/über")]
    Imprint,
}

fn main() {}
