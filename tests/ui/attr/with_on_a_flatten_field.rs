use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(flatten, with = str::len)]
    meta: String,
}

fn main() {}
