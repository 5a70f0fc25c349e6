use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{post-id}")]
struct Post {
    slug: String,
    author: String,
}

fn main() {}
