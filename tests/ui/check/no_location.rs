use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
struct Post {
    slug: String,
}

fn main() {}
