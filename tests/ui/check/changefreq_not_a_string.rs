use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = 7)]
struct Home;

fn main() {}
