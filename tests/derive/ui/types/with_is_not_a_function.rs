use sitemap_core::SitemapEntry;

const FORMAT: &str = "%Y";

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, with = FORMAT)]
    updated: String,
}

fn main() {}
