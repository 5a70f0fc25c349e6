use sitemap_core::SitemapPart;

#[derive(SitemapPart)]
#[sitemap(loc = "/{slug}")]
struct Meta {
    slug: String,
    #[sitemap(lastmod)]
    updated: std::time::SystemTime,
}

fn main() {}
