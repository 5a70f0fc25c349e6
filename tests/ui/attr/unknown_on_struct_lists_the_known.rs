use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", frequency = "weekly")]
struct Home;

fn main() {}
