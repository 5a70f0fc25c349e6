use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/" changefreq = "weekly")]
struct Home;

fn main() {}
