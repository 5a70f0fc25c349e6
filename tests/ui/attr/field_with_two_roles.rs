use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
struct Post {
    #[sitemap(loc, lastmod)]
    url: String,
}

fn main() {}
