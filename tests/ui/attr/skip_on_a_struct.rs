use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(skip)]
struct Post;

fn main() {}
