use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts\u{200B}/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
