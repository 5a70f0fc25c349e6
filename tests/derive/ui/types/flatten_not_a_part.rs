use sitemap_core::SitemapEntry;

struct Meta;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(flatten)]
    meta: Option<Meta>,
}

fn main() {}
