use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com")]
enum Page {
    #[sitemap(loc = "https://example.com/")]
    Home,
}

fn main() {}
