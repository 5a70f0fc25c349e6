use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://example.com:99999/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
