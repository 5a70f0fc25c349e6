use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://{slug}.example.com/")]
struct Post {
    slug: String,
}

fn main() {}
