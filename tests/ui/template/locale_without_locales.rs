use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}/posts/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
