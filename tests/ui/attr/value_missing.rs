use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc, changefreq, priority = , lastmod)]
struct Home;

fn main() {}
