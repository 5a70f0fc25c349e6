use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2026-01-31T24:00Z")]
struct Home;

fn main() {}
