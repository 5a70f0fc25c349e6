use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap]
#[sitemap = "/posts"]
struct Post {
    loc: String,
}

fn main() {}
