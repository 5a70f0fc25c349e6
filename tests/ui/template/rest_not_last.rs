use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{*slug}/comments")]
struct Post {
    slug: String,
}

fn main() {}
