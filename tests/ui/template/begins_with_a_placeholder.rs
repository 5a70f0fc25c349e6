use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "{slug}/posts")]
struct Post {
    slug: String,
}

fn main() {}
