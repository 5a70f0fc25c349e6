use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(skip_if)]
    draft: Option<bool>,
}

fn main() {}
