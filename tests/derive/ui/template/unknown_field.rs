use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slgu}")]
struct Post {
    slug: String,
}

fn main() {}
