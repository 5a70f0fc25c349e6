use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = ["en"])]
struct Home {
    #[sitemap(locales)]
    languages: Vec<String>,
}

fn main() {}
