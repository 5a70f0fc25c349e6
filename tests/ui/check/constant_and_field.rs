use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2026-01-31", priority = 0.5)]
struct Home {
    #[sitemap(lastmod)]
    updated: std::time::SystemTime,
    priority: f32,
}

fn main() {}
