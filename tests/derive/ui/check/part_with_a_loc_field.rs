use sitemap_core::SitemapPart;

#[derive(SitemapPart)]
struct Meta {
    loc: String,
    lastmod: std::time::SystemTime,
}

fn main() {}
