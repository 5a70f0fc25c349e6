use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{id}", section = "blog posts")]
struct Post {
    id: u32,
}

fn main() {}
