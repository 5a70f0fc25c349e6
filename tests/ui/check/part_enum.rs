use sitemap_core::SitemapPart;

#[derive(SitemapPart)]
enum Meta {
    Some { lastmod: std::time::SystemTime },
}

fn main() {}
