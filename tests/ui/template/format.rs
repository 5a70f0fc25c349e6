use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{id:05}")]
struct Post {
    id: u32,
}

fn main() {}
