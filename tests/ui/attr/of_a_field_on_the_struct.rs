use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", flatten)]
struct Post {
    slug: String,
}

fn main() {}
