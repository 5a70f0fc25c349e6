use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, zone = "UTC")]
    updated_at: Option<chrono::DateTime<chrono::Utc>>,
}

fn main() {}
