use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://{slug}/posts")]
struct Post {
    slug: String,
}

fn main() {}
