use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com/{slug}", loc = "/")]
struct Home;

fn main() {}
