use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{id:[0-9]{4}}")]
struct Post {
    id: u32,
}

fn main() {}
