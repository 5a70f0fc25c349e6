use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/" + "x" : 5, changefreq = "weekly")]
struct Home;

fn main() {}
