use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/%2E%2e/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
