use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts?a={slug}?b=c")]
struct Post {
    slug: String,
}

fn main() {}
