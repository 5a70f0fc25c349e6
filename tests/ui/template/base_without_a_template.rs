use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com")]
struct Page {
    loc: String,
}

fn main() {}
