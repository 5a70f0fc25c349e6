use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = [])]
struct Home;

fn main() {}
