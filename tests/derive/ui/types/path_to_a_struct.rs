use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{author.name}")]
struct Post {
    author: Author,
}

fn main() {}

struct Author {
    name: Name,
}

struct Name;
