use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts\t/{slug}\n")]
struct Post {
    slug: String,
}

fn main() {}
