use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/a>b")]
struct Post {
    slug: String,
}

fn main() {}
