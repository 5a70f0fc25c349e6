use sitemap_core::SitemapEntry;

const CHANGED: &str = "2026-01-31";

#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = CHANGED)]
struct Home;

fn main() {}
