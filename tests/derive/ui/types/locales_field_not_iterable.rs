use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}")]
struct Home {
    #[sitemap(locales)]
    language: String,
}

fn main() {}
