use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", change-freqency = "weekly")]
struct Home;

fn main() {}
