use sitemap_core::SitemapEntry;

const LOCALES: [u8; 2] = [1, 2];

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = LOCALES)]
struct Home;

fn main() {}
