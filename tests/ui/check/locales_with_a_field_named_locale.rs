use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = ["en"])]
struct Home {
    locale: String,
}

fn main() {}
