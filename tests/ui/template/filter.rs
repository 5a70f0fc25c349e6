use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug|lower}")]
struct Post {
    slug: String,
}

fn main() {}
