use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug?}")]
struct Post {
    slug: Option<String>,
}

fn main() {}
