use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}")]
struct Home {
    #[sitemap(locales)]
    languages: Vec<u32>,
}

fn main() {}
