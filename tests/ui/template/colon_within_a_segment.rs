use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/:slug.html")]
struct Post {
    slug: String,
}

fn main() {}
