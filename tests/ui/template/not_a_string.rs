use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = 5)]
struct Post {
    slug: String,
}

fn main() {}
