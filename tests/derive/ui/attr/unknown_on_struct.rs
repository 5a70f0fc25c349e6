use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", prioirty = 0.8)]
struct Post {
    slug: String,
}

fn main() {}
