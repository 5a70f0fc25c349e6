use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = -1)]
struct Home;

fn main() {}
