use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts?tags={tags?}")]
struct Post {
    tags: Option<Vec<String>>,
}

fn main() {}
