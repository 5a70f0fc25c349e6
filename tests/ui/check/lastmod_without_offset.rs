use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2026-01-31T10:00:00")]
struct Home;

fn main() {}
