use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/my posts/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
