use sitemap_core::SitemapPart;

#[derive(SitemapPart)]
struct Meta {
    updated: String,
}

fn main() {}
