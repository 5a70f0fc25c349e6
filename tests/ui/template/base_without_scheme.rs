use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(base = "example.com", loc = "/")]
struct Home;

fn main() {}
