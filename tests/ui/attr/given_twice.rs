use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = 0.5)]
#[sitemap(priority = 0.8, loc = "/home")]
struct Home;

fn main() {}
