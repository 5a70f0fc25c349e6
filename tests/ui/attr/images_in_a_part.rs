use sitemap_core::SitemapPart;

#[derive(SitemapPart)]
struct Meta {
    lastmod: sitemap_core::LastMod,
    #[sitemap(images)]
    photos: Vec<String>,
}

fn main() {}
