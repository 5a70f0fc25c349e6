use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "//example.com/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
