use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
enum Route {
    #[sitemap(loc = "/", base = "https://example.com")]
    Home,
}

fn main() {}
