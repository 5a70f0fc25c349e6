use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(param)]
    slug: String,
}

fn main() {}
