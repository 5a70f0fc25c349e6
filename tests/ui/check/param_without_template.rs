use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
struct Post {
    loc: String,
    #[sitemap(param)]
    slug: String,
}

fn main() {}
