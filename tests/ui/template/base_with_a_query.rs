use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com/?a", loc = "/")]
struct Home;

fn main() {}
