use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https:///{slug}")]
struct Post {
    slug: String,
}

fn main() {}
