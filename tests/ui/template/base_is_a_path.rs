use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(base = "/shop", loc = "/")]
struct Home;

fn main() {}
