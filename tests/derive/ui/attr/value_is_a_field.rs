use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", lastmod = updated_at)]
struct Post {
    slug: String,
    updated_at: std::time::SystemTime,
}

fn main() {}
