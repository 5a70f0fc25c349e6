use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, lastmod)]
    changed: std::time::SystemTime,
}

fn main() {}
