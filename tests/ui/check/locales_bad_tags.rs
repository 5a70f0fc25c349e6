use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = ["english", "en_GB", "de-CH-1996", "x-default", ""])]
struct Home;

fn main() {}
