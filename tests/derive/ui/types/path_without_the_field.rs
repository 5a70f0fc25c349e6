use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{author.slgu}")]
struct Post {
    author: Author,
}

fn main() {}

#[allow(dead_code)]
struct Author {
    slug: String,
}
