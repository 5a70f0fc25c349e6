use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
struct Page<'a> {
    #[sitemap(loc)]
    id: &'a u32,
}

fn main() {}
