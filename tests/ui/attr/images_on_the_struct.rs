use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts", images = "https://example.com/logo.png")]
struct Post;

fn main() {}
