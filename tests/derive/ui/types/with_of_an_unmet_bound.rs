use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Home {
    #[sitemap(param, with = String::from)]
    slug: &'static str,
}

fn main() {}
