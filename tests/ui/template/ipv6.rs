use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "http://[::1]:8080/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
