use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = 1.5)]
struct Home;

fn main() {}
