use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "31.01.2026")]
struct Home;

fn main() {}
