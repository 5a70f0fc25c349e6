use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}#top")]
struct Post {
    slug: String,
}

fn main() {}
