use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/%s")]
struct Post {
    slug: String,
}

fn main() {}
