use sitemap_core::SitemapEntry;

const LOCALES: [&str; 2] = ["en", "de"];

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = LOCALES)]
struct Home;

fn main() {}
