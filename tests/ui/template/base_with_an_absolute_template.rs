use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com", loc = "https://example.com/")]
struct Home;

fn main() {}
