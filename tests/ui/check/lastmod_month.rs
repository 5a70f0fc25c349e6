use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2026-13")]
struct Home;

fn main() {}
