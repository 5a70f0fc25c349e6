use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", indexed = "weekly")]
struct Home;

fn main() {}
