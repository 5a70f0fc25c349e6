use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = ["en", "de"], x_default = "fr")]
struct Home;

fn main() {}
