use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{post-id}")]
struct Post {
    post_id: u32,
    post: String,
}

fn main() {}
