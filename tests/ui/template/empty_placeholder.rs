use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{}")]
struct Post {
    slug: String,
}

fn main() {}
