use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
struct Post {
    loc: String,
    #[sitemap(lastmod)]
    created: std::time::SystemTime,
    #[sitemap(lastmod)]
    updated: std::time::SystemTime,
}

fn main() {}
