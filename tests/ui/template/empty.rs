use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "")]
struct Post {
    slug: String,
}

fn main() {}
