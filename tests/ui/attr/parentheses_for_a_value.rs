use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales("en", "de"))]
struct Home;

fn main() {}
