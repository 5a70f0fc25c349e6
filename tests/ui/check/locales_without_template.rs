use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(locales = ["en"])]
struct Post {
    loc: String,
}

fn main() {}
