use sitemap_core::SitemapPart;

#[derive(SitemapPart)]
struct Meta {
    #[sitemap(param)]
    slug: String,
    #[sitemap(lastmod)]
    updated: std::time::SystemTime,
    #[sitemap(changefrequ)]
    often: sitemap_core::ChangeFreq,
}

fn main() {}
