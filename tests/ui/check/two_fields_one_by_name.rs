use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
struct Post {
    loc: String,
    lastmod: String,
    #[sitemap(lastmod)]
    updated: std::time::SystemTime,
}

fn main() {}
