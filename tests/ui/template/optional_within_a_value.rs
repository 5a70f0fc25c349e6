use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts?a=b{slug?}")]
struct Post {
    slug: Option<String>,
}

fn main() {}
