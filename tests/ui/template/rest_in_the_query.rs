use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts?path={*slug}")]
struct Post {
    slug: String,
}

fn main() {}
