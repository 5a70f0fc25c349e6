use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts", locales = ["en"])]
struct Posts;

fn main() {}
