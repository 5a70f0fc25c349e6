use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap("/posts/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
