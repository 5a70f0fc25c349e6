use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = ["en", "de", "EN"])]
struct Home;

fn main() {}
