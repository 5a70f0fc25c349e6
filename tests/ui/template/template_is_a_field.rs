use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "slug")]
struct Post {
    slug: String,
}

fn main() {}
