use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Post {
    #[sitemap(base = "https://example.com")]
    slug: String,
}

fn main() {}
