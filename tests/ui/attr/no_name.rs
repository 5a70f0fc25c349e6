use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", 0.8, changefreq = "weekly")]
struct Home;

fn main() {}
