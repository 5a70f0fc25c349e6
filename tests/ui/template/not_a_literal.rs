use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = PATH)]
struct Post {
    slug: String,
}

fn main() {}
