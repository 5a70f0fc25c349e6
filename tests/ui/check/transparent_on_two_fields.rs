use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(transparent)]
struct Pair(String, String);

fn main() {}
