use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug/comments")]
struct Post {
    slug: String,
}

fn main() {}
