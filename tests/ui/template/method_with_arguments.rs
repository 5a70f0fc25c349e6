use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug.replace(1)}")]
struct Post {
    slug: String,
}

fn main() {}
