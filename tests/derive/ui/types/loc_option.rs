use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
struct Page {
    loc: Option<String>,
}

fn main() {}
