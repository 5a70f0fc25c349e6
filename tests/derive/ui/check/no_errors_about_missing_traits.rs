use sitemap_core::{SitemapEntry, SitemapPart};

#[derive(SitemapEntry)]
enum Route {
    #[sitemap(lok = "/")]
    Home,
}

#[derive(SitemapPart)]
struct Meta {
    #[sitemap(skipp)]
    updated: u8,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Page {
    #[sitemap(flatten)]
    meta: Meta,
}

fn pages() -> usize {
    <Route as sitemap_core::StaticPages>::PAGES.len()
}

fn main() {}
